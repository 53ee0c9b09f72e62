apps_require "test/unit"

require "stringio"
require "test/unit/testsuite"
require "test/unit/ui/console/testrunner"
Test::Unit::AutoRunner.need_auto_run = false
class SumTest < Test::Unit::TestCase
  self.test_order = :defined
  def setup = @list = [1, 2, 3]
  def test_sum = assert_equal(6, @list.sum)
  def test_fails = assert_equal({ "a" => 1, b: [2] }, { "a" => 1, b: [3] })
  def test_error = raise(IndexError, "far")
  def test_pends = pend("not yet")
  def test_omits = omit("never")
  def test_raise = assert_raise(ArgumentError.new("x")) { raise ArgumentError, "x" }
  data("one" => [1, 2], "two" => [2, 4])
  def test_double((from, to)) = assert_equal(to, from * 2)
  def test_power = assert { @list.sum == 7 }
end
out = StringIO.new
result = Test::Unit::UI::Console::TestRunner.new(SumTest.suite, output: out, use_color: false, progress_style: :mark,
                                                 show_detail_immediately: false).start
puts out.string.gsub(/\d+\.\d+ (seconds|tests\/s|assertions\/s)/, "T \\1").gsub(%r{^\s*/.*?(\w+\.rb:\d+)}, "\\1")
  .gsub(/^=+$|^-+$/, "--")
p result.run_count, result.failure_count, result.error_count, result.pending_count, result.omission_count
