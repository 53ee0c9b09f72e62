# Counters of the lock: they add up, and name who waited behind whom.
def until_true(limit = 5)
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  sleep 0.001 until yield || Process.clock_gettime(Process::CLOCK_MONOTONIC) - start > limit
end

stats = Rubellite::Lock.stats
stats.keys # => [:slice, :threads, :total]
stats[:threads].keys == [Thread.main] # => true
stats[:threads][Thread.main].keys # => [:runs, :waits, :held_ns, :waited_ns, :outside_ns, :given, :taken, :waited_ns_by, :longest_wait, :last_wait]
stats[:total][:given].keys # => [:release, :region, :park, :slice_end, :priority, :yield, :steal, :schedule]

# A thread that waits in the kernel holds nothing.
read, write = IO.pipe
reader = Thread.new { read.gets }
until_true { reader.status == "sleep" }
before = Rubellite::Lock.stats(reader)
sleep 0.05
after = Rubellite::Lock.stats(reader)
after[:held_ns] - before[:held_ns] # => 0
after[:outside_ns] - before[:outside_ns] >= 50_000_000 # => true
write.puts "x"
reader.value # => "x\n"

# A thread that computes alone holds the lock all the time, without a waiter, too.
before = Rubellite::Lock.stats(Thread.main)
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
nil until Process.clock_gettime(Process::CLOCK_MONOTONIC) - start > 0.05
after = Rubellite::Lock.stats(Thread.main)
after[:held_ns] - before[:held_ns] >= 49_000_000 # => true

# Two that compute take turns, and each knows behind whom it waited.
stop = false
busy = Array.new(2) { Thread.new { nil until stop } }
until_true { busy.all? { |t| Rubellite::Lock.stats(t)[:given][:slice_end] > 2 } }
one = Rubellite::Lock.stats(busy[0])
one[:waited_ns] > 0 && one[:held_ns] > 0 # => true
one[:longest_wait][:ns] <= one[:waited_ns] # => true
[*busy, Thread.main].include?(one[:longest_wait][:behind]) # => true
one[:taken].values.sum <= one[:runs] # => true
stop = true
busy.each(&:join)

# Those that ended stay in the total.
total = Rubellite::Lock.stats[:total]
total[:given] == total[:taken] # => true
total[:runs] >= one[:runs] # => true
Rubellite::Lock.stats(busy[0]) # raises ThreadError: killed thread
Rubellite::Lock.stats(1) # raises TypeError: wrong argument type Integer (expected VM/thread)

report = Rubellite::Lock.report.lines
report.size # => 3
report[1].start_with?("main ") # => true
