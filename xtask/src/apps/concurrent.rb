apps_require "concurrent", "concurrent-edge"

p Concurrent::Promises.zip(Concurrent::Promises.future { 1 }, Concurrent::Promises.future { 2 }).then { |a, b| a + b }
  .value!
p Concurrent::Map.new.tap { |h| 10.times.map { |i| Thread.new { h.compute_if_absent(:a) { i; 1 } } }.each(&:join) }.size
a = Concurrent::Agent.new(0); 5.times { a.send { |v| v + 1 } }; a.await_for(1); p a.value
l = Concurrent::CountDownLatch.new(3); 3.times { Concurrent.global_io_executor.post { l.count_down } }; p l.wait(1)
tv = Concurrent::TVar.new(0)
4.times.map { Thread.new { 100.times { Concurrent.atomically { tv.value += 1 } } } }.each(&:join)
p tv.value
p Concurrent::TimerTask.new(execution_interval: 0.05) { 1 }.tap { |tt| tt.execute; sleep 0.2; tt.shutdown }.running?
c = Concurrent::Channel.new(capacity: 2) rescue p($!)
Concurrent::Channel.go { 3.times { |i| c.put i }; c.close }
c.each { |x| p x }
class Act < Concurrent::Actor::RestartingContext; def on_message(m) = m * 2; end
p Act.spawn(:a).ask(4).value
p Concurrent::MVar.new(3).take, Concurrent::Delay.new { 7 }.value,
  Concurrent::Exchanger.new.then { |e| t1 = Thread.new { e.exchange(1) }; [e.exchange(2), t1.value] }
p Concurrent::CyclicBarrier.new(2) { print "b " }
  .then { |b| [Thread.new { b.wait }, Thread.new { b.wait }].map(&:value) }
p Concurrent::ReadWriteLock.new.with_read_lock { 1 }, Concurrent::Semaphore.new(1).try_acquire(1),
  Concurrent::AtomicReference.new(1).update { |v| v + 1 }
p Concurrent::ThreadPoolExecutor.new(min_threads: 1, max_threads: 2, max_queue: 1,
                                     fallback_policy: :caller_runs).then { |e|
  r = Queue.new
  6.times { |i| e.post { sleep 0.01; r << i } }
  e.shutdown
  e.wait_for_termination(3)
  r.size
}
p Concurrent::SettableStruct.new(:a).new.tap { |s| s.a = 1 }, Concurrent::Array.new([1]).frozen?
p Concurrent::Promises.any(Concurrent::Promises.future { sleep 0.1; 1 }, Concurrent::Promises.fulfilled_future(2)).value
p Concurrent::Promises.future { raise "x" }.rescue { |e| e.message }.value,
  Concurrent::Promises.schedule(0.05) { 3 }.value
