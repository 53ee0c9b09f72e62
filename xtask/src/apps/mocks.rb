apps_require "minitest", "mocha/api", "timecop", "shoulda-context"

require "minitest/mock"
require "mocha/minitest"
class Shop
  def price(thing) = raise(NotImplementedError)
  def sell(*things) = things.sum { |thing| price(thing) }
end
class ShopTest < Minitest::Test
  i_suck_and_my_tests_are_order_dependent!
  def test_stubs
    shop = Shop.new
    shop.expects(:price).with("a").returns(2).twice
    assert_equal 4, shop.sell("a", "a")
  end

  def test_mock
    mock = Minitest::Mock.new
    mock.expect(:call, 3, [Integer], by: 2)
    assert_equal 3, mock.call(1, by: 2)
    assert_mock mock
  end

  def test_time = Timecop.freeze(Time.utc(2020, 1, 2)) { assert_equal "2020-01-02", Time.now.utc.strftime("%F") }
  def test_wrong = assert_equal([1, 2], [1, 3], "no")
  def test_raised = raise("oops")
  def test_skipped = skip("later")
end
ENV["MT_NO_PLUGINS"] = "1"
out = StringIO.new
reporter = Minitest::SummaryReporter.new(out)
reporter.start
ShopTest.runnable_methods.each { |name| reporter.record(Minitest.run_one_method(ShopTest, name)) }
reporter.report
puts out.string.gsub(/Finished in .*|\(?[\d.]+ (runs|assertions)\/s.*|programs\/[^:]*:\d+|\/.*?mocks.rb:\d+/, "..")
