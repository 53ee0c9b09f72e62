# What several threads that compute do together, against one.
#
#   rubellite bench/threads/throughput.rb [SECONDS=3] [THREADS...=2 4 8]
#
# Each run of several is between two runs of one and is compared with their mean, so that a slower or faster machine meanwhile shows
# in both. Processor time counts, not the clock on the wall: other processes do not.
SECONDS = Float(ARGV.shift || 3)
COUNTS = ARGV.empty? ? [2, 4, 8] : ARGV.map { |n| Integer(n) }

def cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

# Rounds for each second of processor time, thread by thread.
def rates(threads)
  stop = false
  rounds = Array.new(threads, 0)
  before = cpu
  workers = threads.times.map { |i| Thread.new { (1000.times { |x| x * x }; rounds[i] += 1) until stop } }
  sleep SECONDS
  stop = true
  workers.each(&:join)
  rounds.map { |n| n / (cpu - before) }
end

rates(1)
COUNTS.each do |threads|
  earlier = rates(1).sum
  several = rates(threads)
  one = (earlier + rates(1).sum) / 2
  puts format("%d threads: %.1f %% of one; the least has %.1f %% of an equal share", threads, 100 * several.sum / one, 100 * several.min * threads / several.sum)
end
