q = Thread::SizedQueue.new(2)
q << 1 << 2
q.max # => 2
q.size # => 2
q.push(3, true) # raises ThreadError: queue full
q.push(3, timeout: 0.001) # => nil
t = Thread.new { q << 3; :pushed }
Thread.pass until t.stop?
q.num_waiting # => 1
q.pop # => 1
t.value # => :pushed
q.size # => 2
q.max = 5
q.max # => 5
Thread::SizedQueue.new(0) # raises ArgumentError: queue size must be positive
q.max = 0 # raises ArgumentError: queue size must be positive
u = Thread.new { begin; 9.times { |i| q << i }; rescue ClosedQueueError => e; e.message; end }
Thread.pass until u.stop?
q.close
u.value # => "queue closed"
q.size # => 5
