# Ten thousand threads live at once, are woken and end.
# timeout: 120
gate = Thread::Queue.new
threads = Array.new(10_000) { |i| Thread.new { gate.pop; i } }
sleep 0.01 until gate.num_waiting == 10_000
Thread.list.size # => 10001
gate.close
threads.sum(&:value) # => 49995000
Thread.list.size # => 1
