m = Mutex.new
c = ConditionVariable.new
ready = false
out = []
t = Thread.new do
  m.synchronize do
    c.wait(m) until ready
    out << :woken
  end
end
Thread.pass until t.stop?
m.synchronize do
  ready = true
  c.signal
end
t.join
out # => [:woken]
m.synchronize { c.wait(m, 0.01).class } # => NilClass
waiters = 3.times.map { Thread.new { m.synchronize { c.wait(m); out << :all } } }
Thread.pass until waiters.all?(&:stop?)
m.synchronize { c.broadcast }
waiters.each(&:join)
out # => [:woken, :all, :all, :all]
c.signal.equal?(c) # => true
Marshal.dump(c) # raises TypeError: can't dump Thread::ConditionVariable
