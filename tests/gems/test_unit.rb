# gems: test-unit
require "test/unit"
require "test/unit/ui/testrunnermediator"
require "test/unit/testresult"
Test::Unit::AutoRunner.need_auto_run = false
class Small < Test::Unit::TestCase
  class << self
    def startup = puts("startup")
    def shutdown = puts("shutdown")
  end
  setup { @list = [1] }
  data("one" => 1, "two" => 2)
  def test_data(x) = assert_operator(x, :>, 0)
  def test_fails = assert_equal("a\nb", "a\nc")
  def test_raise = assert_raise(ZeroDivisionError) { 1 / 0 }
  def test_pend = pend("not yet")
  def test_omit = omit("no")
  def test_error = raise("boom")
  sub_test_case("inner") { def test_x = assert_true(true) }
end
result = Test::Unit::TestResult.new
# test-unit 3.7 wants to know on whose behalf the tests run.
runner = result
if defined?(Test::Unit::WorkerContext)
  runner = Test::Unit::WorkerContext.new(nil, Test::Unit::TestRunContext.new(Test::Unit::TestSuiteRunner), result)
end
Small.suite.run(runner) do |channel, value|
  puts "#{channel.to_s[/\w+\z/]} #{value}" if channel == Test::Unit::TestCase::STARTED
end
puts result.summary, result.faults.map { |f| "#{f.class} #{f.test_name} #{f.message.lines.first}" }.sort
# prints: startup
# prints: STARTED test_data[one](Small)
# prints: STARTED test_data[two](Small)
# prints: STARTED test_error(Small)
# prints: STARTED test_fails(Small)
# prints: STARTED test_omit(Small)
# prints: STARTED test_pend(Small)
# prints: STARTED test_raise(Small)
# prints: shutdown
# prints: 7 tests, 4 assertions, 1 failures, 1 errors, 1 pendings, 1 omissions, 0 notifications
# prints: Test::Unit::Error test_error(Small) RuntimeError: boom
# prints: Test::Unit::Failure test_fails(Small) <"a\n" + "b"> expected but was
# prints: Test::Unit::Omission test_omit(Small) no
# prints: Test::Unit::Pending test_pend(Small) not yet
