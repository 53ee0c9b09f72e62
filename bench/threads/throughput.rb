# What several threads that compute do together, against one.
#
#   rubellite bench/threads/throughput.rb [ROUNDS=15] [THREADS...=2 4 8]
#
# Each short run of several is between two runs of one and is compared with their mean (the second alone if the first was on another
# processor), so that a slower or faster machine meanwhile shows in both; the median of the rounds is printed, and the quartiles.
# Processor time counts, not the clock on the wall: other processes do not. Nor does it count what it takes to start and to end
# threads: they run for a while before and after.
#
# The processors of a machine are not equally fast at a time: on a virtual one each shares a core with somebody else. So the one thread
# runs on the processor that the several were on (Linux with taskset(1); elsewhere wherever the kernel puts it).
ROUNDS = Integer(ARGV.shift || 15)
COUNTS = ARGV.empty? ? [2, 4, 8] : ARGV.map { |n| Integer(n) }
SECONDS = 0.3
BEFORE = 0.1

# Rounds for each second of processor time, thread by thread, and the processor that they ended on.
Run = Struct.new(:rates, :processor) do
  def sum = rates.sum
end

def cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

# The processor that most of the threads were on last.
def processor_of(threads)
  threads.map { |thread| File.read("/proc/self/task/#{thread.native_thread_id}/stat").rpartition(") ").last.split[36] }.tally.max_by(&:last).first
rescue SystemCallError
  nil
end

def bind(thread, processor)
  system("taskset", "-cp", processor, thread.native_thread_id.to_s, out: File::NULL, err: File::NULL) if processor
end

def run(threads, on: nil)
  gate = Queue.new
  stop = false
  rounds = Array.new(threads, 0)
  workers = threads.times.map { |i| Thread.new { gate.pop; (1000.times { |x| x * x }; rounds[i] += 1) until stop } }
  Thread.pass until gate.num_waiting == threads
  workers.each { |worker| bind(worker, on) }
  threads.times { gate << true }
  sleep BEFORE
  used_before = cpu
  already = rounds.dup
  sleep SECONDS
  used = cpu - used_before
  done = rounds.zip(already).map { |count, before| count - before }
  processor = processor_of(workers)
  stop = true
  workers.each(&:join)
  Run.new(done.map { |n| n / used }, processor)
end

def quartiles(values) = [0.25, 0.5, 0.75].map { |at| values.sort[(at * (values.size - 1)).round] }

run(1)
ratios = COUNTS.to_h { |threads| [threads, []] }
shares = COUNTS.to_h { |threads| [threads, []] }
earlier = run(1)
ROUNDS.times do
  COUNTS.each do |threads|
    several = run(threads)
    later = run(1, on: several.processor)
    ones = [later]
    ones << earlier if earlier.processor == several.processor
    ratios[threads] << 100 * several.sum / (ones.sum(&:sum) / ones.size)
    shares[threads] << several.rates
    earlier = later
  end
end
COUNTS.each do |threads|
  low, median, high = quartiles(ratios[threads])
  each = shares[threads].transpose.map(&:sum)
  puts format("%d threads: %.1f %% of one (quartiles %.1f and %.1f); the least has %.1f %% of an equal share", threads, median, low, high, 100 * each.min * threads / each.sum)
end
