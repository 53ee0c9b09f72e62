# What several threads that compute do together, against one.
#
#   rubellite bench/threads/throughput.rb [PAIRS=60] [THREADS...=2 4 8]
#
# The same threads compute all at once and one alone, in turn, a fraction of a second each: each stretch of several is compared with the mean
# of the stretches of one before and after it, and the median of the pairs is printed, with its quartiles. So it shows only in the
# quartiles when the machine is slower or faster for seconds; a virtual one often is, by half. Processor time counts, not the clock on
# the wall: other processes do not. Nor does it count what it takes to let the others begin and to stop them.
#
# With 1 for THREADS both are the same: how far the result is from 100 % is what the figures are worth.
PAIRS = Integer(ARGV.shift || 60)
COUNTS = ARGV.empty? ? [2, 4, 8] : ARGV.map { |n| Integer(n) }
STRETCH = 0.16
# For a while after a change nothing is counted: until each has had a slice.
SETTLING = 0.06

def cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

# Threads of which either one computes or all do.
class Team
  def initialize(threads)
    @rounds = Array.new(threads, 0)
    @gate = Queue.new
    @all = false
    @over = false
    @workers = threads.times.map { |i| Thread.new { i.zero? ? lead : follow(i) } }
    Thread.pass until @gate.num_waiting == threads - 1
  end

  # Rounds for each second of processor time, thread by thread.
  def stretch(all:)
    switch(all)
    sleep SETTLING
    used, before = cpu, @rounds.dup
    sleep STRETCH
    used = cpu - used
    @rounds.zip(before).map { |count, earlier| (count - earlier) / used }
  end

  def finish
    switch(false)
    @over = true
    @gate.close
    @workers.each(&:join)
  end

  private

  def round(i)
    500.times { |x| x * x }
    @rounds[i] += 1
  end

  def lead
    round(0) until @over
  end

  def follow(i)
    (round(i) while @all) while @gate.pop
  end

  def switch(all)
    return if all == @all
    @all = all
    others = @rounds.size - 1
    all ? others.times { @gate << true } : (sleep 0.001 until @gate.num_waiting == others)
  end
end

def quartiles(values) = [0.25, 0.5, 0.75].map { |at| values.sort[(at * (values.size - 1)).round] }

COUNTS.each do |threads|
  team = Team.new(threads)
  shares = Array.new(threads, 0)
  earlier = team.stretch(all: false).sum
  ratios = Array.new(PAIRS) do
    several = team.stretch(all: true)
    later = team.stretch(all: false).sum
    one = (earlier + later) / 2
    earlier = later
    shares = shares.zip(several).map(&:sum)
    100 * several.sum / one
  end
  team.finish
  low, median, high = quartiles(ratios)
  puts format("%d threads: %.1f %% of one (quartiles %.1f and %.1f); the least has %.1f %% of an equal share", threads, median, low, high, 100 * shares.min * threads / shares.sum)
end
