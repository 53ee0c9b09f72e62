# What several threads that compute do together, against one.
#
#   rubellite bench/threads/throughput.rb [PAIRS=60] [THREADS...=2 4 8]
#
# The same threads compute all at once and one alone, in turn, a fraction of a second each: each stretch of several is
# compared with the mean of the stretches of one before and after it, and the median of the pairs is printed, with its
# quartiles. So it shows only in the quartiles when the machine is slower or faster for seconds; a virtual one often is,
# by half. Each is the one in turn, for what lies where in memory can make one faster than another. Processor time
# counts, not the clock on the wall: other processes do not. Nor does it count what it takes to let the others begin and
# to stop them.
#
# With 1 for THREADS both are the same: how far the result is from 100 % is what the figures are worth.
PAIRS = Integer(ARGV.shift || 60)
COUNTS = ARGV.empty? ? [2, 4, 8] : ARGV.map { |n| Integer(n) }
STRETCH = 0.16
# For a while after a change nothing is counted: until each has had two slices.
SETTLING = 0.02
SETTLING_EACH = 0.015

def cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

# Threads of which either one computes or all do.
class Team
  def initialize(threads)
    @rounds = Array.new(threads, 0)
    @gates = Array.new(threads) { Queue.new }
    @goes = Array.new(threads, false)
    @workers = @gates.each_with_index.map { |gate, i| Thread.new { (round(i) while @goes[i]) while gate.pop } }
    wait_for(@gates)
  end

  # Rounds for each second of processor time, thread by thread. `alone`: the only one that computes.
  def stretch(alone: nil)
    let_go { |i| alone.nil? || i == alone }
    sleep SETTLING + SETTLING_EACH * @rounds.size
    used, before = cpu, @rounds.dup
    sleep STRETCH
    used = cpu - used
    @rounds.zip(before).map { |count, earlier| (count - earlier) / used }
  end

  def finish
    let_go { false }
    @gates.each(&:close)
    @workers.each(&:join)
  end

  private

  def round(i)
    500.times { |x| x * x }
    @rounds[i] += 1
  end

  def let_go
    wanted, unwanted = @goes.each_index.partition { |i| yield i }
    unwanted.each { |i| @goes[i] = false }
    wait_for(@gates.values_at(*unwanted))
    wanted.reject { |i| @goes[i] }.each do |i|
      @goes[i] = true
      @gates[i] << true
    end
  end

  def wait_for(gates)
    sleep 0.001 until gates.all? { |gate| gate.num_waiting == 1 }
  end
end

def quartiles(values) = [0.25, 0.5, 0.75].map { |at| values.sort[(at * (values.size - 1)).round] }

COUNTS.each do |threads|
  team = Team.new(threads)
  shares = Array.new(threads, 0)
  earlier = team.stretch(alone: 0).sum
  ratios = Array.new(PAIRS) do |pair|
    several = team.stretch
    later = team.stretch(alone: (pair + 1) % threads).sum
    one = (earlier + later) / 2
    earlier = later
    shares = shares.zip(several).map(&:sum)
    100 * several.sum / one
  end
  team.finish
  low, median, high = quartiles(ratios)
  puts format("%d threads: %.1f %% of one (quartiles %.1f and %.1f); the least has %.1f %% of an equal share", threads,
              median, low, high, 100 * shares.min * threads / shares.sum)
end
