q = Thread::Queue.new
q << 1
q.push(2)
q.enq(3)
q.size # => 3
q.pop # => 1
q.shift # => 2
q.deq # => 3
q.empty? # => true
q.num_waiting # => 0
q.pop(true) # raises ThreadError: queue empty
q.pop(timeout: 0.001) # => nil
q.pop(true, timeout: 1) # raises ArgumentError: can't set a timeout if non_block is enabled
t = Thread.new { q.pop }
Thread.pass until t.stop?
q.num_waiting # => 1
q << :handed
t.value # => :handed
q.close
q.closed? # => true
q.pop # => nil
q << 1 # raises ClosedQueueError: queue closed
Thread::Queue.new([1, 2]).size # => 2
Thread::Queue.new(5) # raises TypeError: can't convert Integer into Array
q.clear.equal?(q) # => true
r = Thread::Queue.new
u = Thread.new { r.pop }
Thread.pass until u.stop?
r.close
u.value # => nil
r.freeze # raises TypeError: cannot freeze #<Thread::Queue:0xXX>
