threads = 200.times.map { |i| Thread.new { Thread.pass; i } }
threads.sum(&:value) # => 19900
Thread.list.size # => 1
gate = Thread::Queue.new
waiting = 100.times.map { Thread.new { gate.pop } }
Thread.pass until waiting.all?(&:stop?)
gate.num_waiting # => 100
100.times { |i| gate << i }
waiting.map(&:value).sort == (0...100).to_a # => true
