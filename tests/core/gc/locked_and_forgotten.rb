# A mutex that its thread has locked lives no longer than references to it;
# those that are referred to are given back when their thread ends.
# timeout: 60
def memory = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i

20_000.times { Mutex.new.lock }
GC.start
before = memory
500_000.times { Mutex.new.lock }
GC.start
memory - before < 40_000 # => true
before = memory
200_000.times { Monitor.new.enter }
GC.start
memory - before < 40_000 # => true

kept = Array.new(2000) { Mutex.new.tap(&:lock) }
GC.start
kept.all?(&:owned?) # => true
kept.each(&:unlock).none?(&:locked?) # => true
worker = Thread.new { kept.each(&:lock); 1000.times { Mutex.new.lock }; GC.start; kept.count(&:owned?) }
worker.value # => 2000
kept.none?(&:locked?) # => true
holder = Thread.new { kept[0].lock; GC.start; sleep }
Thread.pass until holder.stop?
waiter = Thread.new { kept[0].synchronize { :got } }
Thread.pass until waiter.stop?
GC.start
holder.kill
waiter.value # => :got
