# What several threads that compute do together, against one.
#
#   rubellite bench/threads/throughput.rb [ROUNDS=15] [THREADS...=2 4 8]
#
# Each short run of several is between two runs of one and is compared with their mean, so that a slower or faster machine meanwhile
# shows in both; the median of the rounds is printed, and the quartiles. Processor time counts, not the clock on the wall: other
# processes do not.
ROUNDS = Integer(ARGV.shift || 15)
COUNTS = ARGV.empty? ? [2, 4, 8] : ARGV.map { |n| Integer(n) }
SECONDS = 0.3

def cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

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

def quartiles(values) = [0.25, 0.5, 0.75].map { |at| values.sort[(at * (values.size - 1)).round] }

rates(1)
ratios = COUNTS.to_h { |threads| [threads, []] }
shares = COUNTS.to_h { |threads| [threads, []] }
earlier = rates(1).sum
ROUNDS.times do
  COUNTS.each do |threads|
    several = rates(threads)
    later = rates(1).sum
    ratios[threads] << 200 * several.sum / (earlier + later)
    shares[threads] << several
    earlier = later
  end
end
COUNTS.each do |threads|
  low, median, high = quartiles(ratios[threads])
  each = shares[threads].transpose.map(&:sum)
  puts format("%d threads: %.1f %% of one (quartiles %.1f and %.1f); the least has %.1f %% of an equal share", threads, median, low, high, 100 * each.min * threads / each.sum)
end
