apps_require "hamster", "concurrent", "wisper", "ice_nine", "equalizer"

vector = Hamster::Vector.new((1..40).to_a)
p vector.map { |x| x * 2 }.select(&:even?).take(3).to_a, vector.set(35, :x)[35], vector[35],
  Hamster::Hash[a: 1].put(:b, 2).to_h.keys
p Hamster::SortedSet.new([3, 1, 2]).to_a, Hamster::List[1, 2, 3].cons(0).reduce(:+)
future = Concurrent::Promises.future(2) { |x| x * 3 }.then { |x| x + 1 }
p future.value!, Concurrent::Promises.zip(*(1..3).map { |i| Concurrent::Promises.future { i } }).value!
failed = Concurrent::Promises.future { raise ArgumentError, "no" }.rescue { |error| error.message }
p failed.value!, Concurrent::AtomicFixnum.new(3).increment, Concurrent::Map.new.compute_if_absent(:a) { 1 }
pool = Concurrent::FixedThreadPool.new(2)
latch = Concurrent::CountDownLatch.new(4)
sum = Concurrent::AtomicFixnum.new
4.times { |i| pool.post { sum.increment(i); latch.count_down } }
latch.wait(10)
p sum.value, pool.shutdown
agent = Concurrent::Agent.new(0)
3.times { agent.send { |value| value + 1 } }
agent.await_for(10)
p agent.value
class Counter
  include Wisper::Publisher
  def run = broadcast(:counted, 3)
end
counter = Counter.new
counter.on(:counted) { |n| puts "counted #{n}" }
counter.run
p IceNine.deep_freeze({ a: ["b"] }).then { |h| [h.frozen?, h[:a].frozen?, h[:a][0].frozen?] }
class Point
  include Equalizer.new(:x)
  attr_reader :x
  def initialize(x) = @x = x
end
p Point.new(1) == Point.new(1), Point.new(1).eql?(Point.new(1.0)), Point.new(2).inspect
