# gems: concurrent-ruby
require "concurrent"
pool = Concurrent::FixedThreadPool.new(4)
futures = (1..10).map { |i| Concurrent::Future.execute(executor: pool) { i * i } }
puts futures.map(&:value).join(" ")
puts Concurrent::Promise.execute { 20 }.then { |v| v + 1 }.then { |v| v * 2 }.value
failed = Concurrent::Promise.execute { raise "no" }.rescue { |e| "rescued #{e.message}" }
puts failed.value
counter = Concurrent::AtomicFixnum.new
latch = Concurrent::CountDownLatch.new(20)
20.times { pool.post { 100.times { counter.increment }; latch.count_down } }
latch.wait(10)
puts counter.value
map = Concurrent::Map.new
20.times.map { |i| Thread.new { map.compute_if_absent(i % 5) { i % 5 }; map.put_if_absent(:x, 1) } }.each(&:join)
puts map.keys.map(&:to_s).sort.join(","), map.fetch(:none, "default")
agent = Concurrent::Agent.new(0)
10.times { |i| agent.send(i) { |v, n| v + n } }
agent.await_for(5)
puts agent.value
atom = Concurrent::Atom.new([])
5.times.map { |i| Thread.new { atom.swap { |list| list + [i] } } }.each(&:join)
puts atom.value.sort.join
d = Concurrent.dataflow(Concurrent.dataflow { 3 }, Concurrent.dataflow { 4 }) { |a, b| a + b }
puts d.value
delay = Concurrent::Delay.new { 7 }
puts delay.value
event = Concurrent::Event.new
Thread.new { event.set }
puts event.wait(5)
semaphore = Concurrent::Semaphore.new(2)
puts semaphore.try_acquire(1), semaphore.available_permits
barrier = Concurrent::CyclicBarrier.new(3) { puts "barrier" }
3.times.map { Thread.new { barrier.wait } }.each(&:join)
task = Concurrent::ScheduledTask.execute(0.01) { "scheduled" }
puts task.value
timer = Concurrent::TimerTask.new(execution_interval: 0.01) { 1 }
ticks = Queue.new
timer.add_observer(Class.new { define_method(:update) { |_, value, _| ticks << value } }.new)
timer.execute
puts ticks.pop
timer.shutdown
puts Concurrent::Promises.zip(Concurrent::Promises.future { 1 }, Concurrent::Promises.future(2) { |x| x }).then { |a, b|
  a + b
}.value!
actor = Class.new { include Concurrent::Async; def twice(n) = n * 2 }.new
puts actor.async.twice(4).value, actor.await.twice(5).value
Point = Concurrent::ImmutableStruct.new(:x, :y)
puts Point.new(1, 2).x, Concurrent::MVar.new(9).take, Concurrent::TVar.new(3).value
puts Concurrent.atomically { 11 }
local = Concurrent::ThreadLocalVar.new(5)
puts Thread.new { local.value = 6; local.value }.value, local.value
puts Concurrent::Array.new([1, 2]).map { |x| x + 1 }.sum, Concurrent::Hash.new.merge(1 => 2).size
lock = Concurrent::ReadWriteLock.new
puts lock.with_read_lock { "read" }, lock.with_write_lock { "write" }
pool.shutdown
puts pool.wait_for_termination(10)
# prints: 1 4 9 16 25 36 49 64 81 100
# prints: 42
# prints: rescued no
# prints: 2000
# prints: 0,1,2,3,4,x
# prints: default
# prints: 45
# prints: 01234
# prints: 7
# prints: 7
# prints: true
# prints: true
# prints: 1
# prints: barrier
# prints: scheduled
# prints: 1
# prints: 3
# prints: 8
# prints: 10
# prints: 1
# prints: 9
# prints: 3
# prints: 11
# prints: 6
# prints: 5
# prints: 5
# prints: 1
# prints: read
# prints: write
# prints: true
