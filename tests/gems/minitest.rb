# gems: minitest
require "minitest"
require "minitest/spec"
begin
  require "minitest/mock"
rescue LoadError
  # Minitest 6 has it in a gem of its own.
end
class Small < Minitest::Test
  def setup = @list = [1, 2]
  def test_equal = assert_equal([1, 2], @list)
  def test_raises = assert_raises(ArgumentError) { raise ArgumentError }
  def test_skip = skip("later")
  def test_output = assert_output("x\n", "") { puts "x" }
  def test_fails = assert_equal([1, 2], [1, 3])
  def test_error = raise(IOError, "boom")
  def test_in_delta = assert_in_delta(1.0, 1.0001, 0.01)
end
describe "spec" do
  let(:n) { 3 }
  it("works") { _(n).must_equal 3 }
  if defined?(Minitest::Mock)
    it("mocks") { m = Minitest::Mock.new; m.expect(:x, 1, [2]); m.x(2); _(m.verify).must_equal true }
    it("stubs") { Time.stub(:now, 5) { _(Time.now).must_equal 5 } }
  else
    it("has no mocks") { _(1).must_equal 1 }
    it("has no stubs") { _(1).must_equal 1 }
  end
end
class Collect < Minitest::StatisticsReporter
  def report = puts(results.map { |r| "#{r.class_name}##{r.name}: #{r.failure.message.lines.first}" }.sort)
end
Minitest.respond_to?(:seed=) ? Minitest.seed = 1 : srand(1)
reporter = Collect.new($stdout, {})
run = Minitest::Runnable.respond_to?(:run_suite) ? :run_suite : :run
Minitest::Runnable.runnables.each { |suite| suite.public_send(run, reporter, {}) }
reporter.report
puts reporter.count, reporter.assertions
# prints: Small#test_error: IOError: boom
# prints: Small#test_fails: Expected: [1, 2]
# prints: Small#test_skip: later
# prints: 10
# prints: 9
