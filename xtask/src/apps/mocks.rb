apps_require "minitest", "mocha/api", "timecop", "shoulda-context"

require "stringio"
class Shop
  def price(thing) = raise(NotImplementedError)
  def sell(*things) = things.sum { |thing| price(thing) }
end
class ShopTest < Minitest::Test
  include Mocha::API
  i_suck_and_my_tests_are_order_dependent!
  def setup = mocha_setup
  def before_teardown = mocha_verify
  def teardown = mocha_teardown
  def test_stubs
    shop = Shop.new
    shop.expects(:price).with("a").returns(2).twice
    assert_equal 4, shop.sell("a", "a")
  end

  def test_mock
    mock = mock("till")
    mock.expects(:call).with(1, by: 2).returns(3)
    mock.stubs(:open?).returns(true, false)
    assert_equal [3, true, false], [mock.call(1, by: 2), mock.open?, mock.open?]
  end

  def test_never_called = Shop.any_instance.expects(:price).at_least_once
  def test_time = Timecop.freeze(Time.utc(2020, 1, 2)) { assert_equal "2020-01-02", Time.now.utc.strftime("%F") }
  def test_wrong = assert_equal([1, 2], [1, 3], "no")
  def test_raised = raise("oops")
  def test_skipped = skip("later")
end
ENV["MT_NO_PLUGINS"] = "1"
out = StringIO.new
reporter = Minitest::SummaryReporter.new(out)
reporter.start
ShopTest.runnable_methods.each { |name| reporter.record(ShopTest.new(name).run) }
reporter.report
puts out.string.gsub(/Finished in .*|\(?[\d.]+ (runs|assertions)\/s.*|programs\/[^:]*:\d+|\/.*?mocks.rb:\d+/, "..")
