m = Mutex.new
m.lock.equal?(m) # => true
m.locked? # => true
m.owned? # => true
m.try_lock # => false
m.lock # raises ThreadError: deadlock; recursive locking
m.unlock.equal?(m) # => true
m.unlock # raises ThreadError: Attempt to unlock a mutex which is not locked
m.synchronize { :inside } # => :inside
m.locked? # => false
m.try_lock # => true
Thread.new { m.try_lock }.value # => false
Thread.new { m.owned? }.value # => false
Thread.new { m.unlock }.tap { |t| t.report_on_exception = false }.join # raises ThreadError: Attempt to unlock a mutex which is locked by another thread/fiber
(m.unlock; m.synchronize { raise "x" } rescue m.locked?) # => false
count = 0
4.times.map { Thread.new { 500.times { m.synchronize { c = count; Thread.pass if c % 50 == 0; count = c + 1 } } } }
  .each(&:join)
count # => 2000
Mutex == Thread::Mutex # => true
m.lock
m.sleep(0.001).class # => NilClass
m.owned? # => true
t = Thread.new { m.lock; Thread.current.kill }
Thread.pass until t.stop?
m.unlock
t.join
m.locked? # => false
