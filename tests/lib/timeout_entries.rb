# A timeout whose block has ended leaves nothing behind until its deadline, and the next ones come when they are due.
# timeout: 60
require "timeout"
def memory = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i

def seconds
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
    .then { |t| yield; Process.clock_gettime(Process::CLOCK_MONOTONIC) - t }
end

# So many that the heap and the machine code have the size that they keep.
40_000.times { Timeout.timeout(60) { 1 } }
GC.start
before = memory
60_000.times { Timeout.timeout(60) { 1 } }
GC.start
memory - before < 15_000 # => true
Timeout.timeout(50) { 20_000.times { |i| Timeout.timeout(10 + i % 7) { 1 } } }
memory - before < 25_000 # => true

def late(limit) = seconds { Timeout.timeout(limit) { sleep 20 } rescue Timeout::Error }
late(0.1).between?(0.09, 3) # => true
late(0.3).between?(0.29, 3) # => true
late(0.05).between?(0.04, 3) # => true
outer = seconds do
  Timeout.timeout(0.2) do
    Timeout.timeout(30) { 1 }
    3.times { Timeout.timeout(0.01) { sleep 5 } rescue Timeout::Error }
    sleep 20
  end
rescue Timeout::Error
end
outer.between?(0.19, 3) # => true
ends = [0.3, 0.1, 0.2, 0.1].map { |limit| Thread.new { late(limit) } }.map(&:value)
ends.zip([0.3, 0.1, 0.2, 0.1]).all? { |took, limit| took.between?(limit - 0.01, limit + 3) } # => true

# A child that a fork made has a watching thread of its own.
pid = fork do
  Timeout.timeout(30) { 1 }
  exit!(late(0.1) < 5 ? 7 : 1)
end
Process.wait2(pid)[1].exitstatus # => 7
Timeout.timeout(30) { Process.wait2(fork { exit! 3 })[1].exitstatus } # => 3

# In the handler of a signal.
handled = []
trap("USR1") do
  handled << Timeout.timeout(20) { :done }
  begin
    Timeout.timeout(0.05) { sleep 20 }
  rescue Timeout::Error => error
    handled << error.class
  end
end
threads = Thread.list.size
Process.kill("USR1", $$)
sleep 0.02 until handled.size == 2
handled # => [:done, Timeout::Error]
100.times { Thread.pass }
sleep 0.05
Thread.list.size <= threads # => true
