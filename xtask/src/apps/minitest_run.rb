apps_require "minitest"

require "minitest/spec"
require "stringio"
class NumberTest < Minitest::Test
  i_suck_and_my_tests_are_order_dependent!
  def setup = @n = 41
  def test_add = assert_equal(42, @n + 1)
  def test_differs = assert_equal([1, 2, { a: 3 }], [1, 2, { a: 4 }])
  def test_long = assert_equal("a\nb\nc\n" * 3, "a\nb\nd\n" * 3)
  def test_raises = assert_raises(ZeroDivisionError) { 1 / 0 }
  def test_wrong_error = assert_raises(KeyError) { Integer("x") }
  def test_error = nil.nothing
  def test_skipped = skip("later")
  def test_output = assert_output("hi\n", "") { puts "hi" }
  def test_delta = assert_in_delta(0.1 + 0.2, 0.3, 1e-20)
end
describe Array do
  let(:list) { [3, 1, 2] }
  it("sorts") { _(list.sort).must_equal [1, 2, 3] }
  it("includes") { _(list).must_include 9 }
  describe("empty") { it("is not") { _(list).wont_be_empty } }
end
out = StringIO.new
srand Minitest.seed = 1
reporter = Minitest::CompositeReporter.new
reporter << Minitest::SummaryReporter.new(out, { seed: 1 }) << Minitest::ProgressReporter.new(out, { verbose: true })
reporter.start
if Minitest.respond_to?(:run_all_suites)
  Minitest.run_all_suites(reporter, { seed: 1 })
else
  Minitest.__run(reporter, { seed: 1 })
end
reporter.report
text = out.string.gsub(/\d+\.\d+ (runs|assertions|s)/, "T \\1").gsub(/= \d+\.\d+ s/, "= T s")
  .gsub(/in \d+\.\d+s/, "in T").gsub(Dir.pwd, "PWD").gsub(/\[[^\]]*minitest_run\.rb:/, "[FILE:")
  .gsub(%r{^.*(?:/gems/|<internal:|Kernel#Integer).*\n}, "")
puts text.lines.map(&:rstrip).sort
