# Ten thousand threads live at once, are woken and end; fewer where every allocation collects,
# which looks at all their stacks.
# timeout: 120
count = ENV["RUBELLITE_STRESS"] == "gc" ? 200 : 10_000
gate = Thread::Queue.new
threads = Array.new(count) { |i| Thread.new { gate.pop; i } }
sleep 0.01 until gate.num_waiting == count
Thread.list.size - count # => 1
gate.close
threads.sum(&:value) == count * (count - 1) / 2 # => true
Thread.list.size # => 1
