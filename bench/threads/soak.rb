# A soak of threads: kills and raises at every kind of wait, inside synchronize, ensure and native work, raises into
# threads that are raising, signals while the lock changes hands, bursts of creation. It ends by itself.
#
#   rubellite bench/threads/soak.rb [SECONDS=60] [SEED=1]
#
# With RUBELLITE_STRESS=gc, switch or gc,switch it soaks the stress modes. A watchdog prints what every thread waits for
# when no round has ended for a while, and ends the process with status 1; so does memory above LIMIT_MB.
require "monitor"
require "timeout"

SECONDS = Integer(ARGV[0] || 60)
RANDOM = Random.new(Integer(ARGV[1] || 1))
STALL = Integer(ENV["SOAK_STALL"] || 60)
LIMIT_MB = Integer(ENV["SOAK_LIMIT_MB"] || 600)
STRESSED = ENV.key?("RUBELLITE_STRESS")
WORKERS = STRESSED ? 3 : 12
Thread.report_on_exception = false

class Nudge < StandardError; end

# What the workers share. Each wait is entered and left in a way that a kill or a raise at any moment must not spoil.
MUTEX = Mutex.new
MONITOR = Monitor.new
CONDITION = MONITOR.new_cond
QUEUE = Queue.new
SIZED = SizedQueue.new(2)
READER, WRITER = IO.pipe
$rounds = 0
$signals = 0
$problems = []

# name => a wait, or work, that ends only by an interrupt (or soon).
WAITS = {
  sleep: -> { sleep },
  short_sleep: -> { sleep 0.001 },
  pop: -> { QUEUE.pop },
  push: -> { SIZED.push(1) },
  timed_pop: -> { Queue.new.pop(timeout: 0.002) },
  read: -> { READER.readpartial(1) },
  select: -> { IO.select([READER]) },
  join: -> { Thread.new { sleep 0.003 }.join },
  stop: -> { Thread.stop },
  lock: -> { MUTEX.synchronize { sleep 0.0005 } },
  monitor: -> { MONITOR.synchronize { CONDITION.wait(0.002) } },
  monitor_twice: -> { MONITOR.synchronize { MONITOR.synchronize { CONDITION.wait(0.001) } } },
  spin: -> { 2000.times { |i| i * i } },
  pass: -> { 20.times { Thread.pass } },
  regexp: -> { /(a*)*b/.match?("a" * 18) },
  integer: -> { (7**3000).to_s.size },
  sort: -> { Array.new(2000) { |i| (i * 7919) % 2003 }.sort.size },
  fiber: -> { f = Fiber.new { loop { Fiber.yield 1 } }; 50.times { f.resume } },
  enumerator: -> { e = (1..).each; 30.times { e.next } },
  timeout: -> { Timeout.timeout(0.001) { sleep } rescue Timeout::Error },
  catch: -> { catch(:out) { [1, 2].each { throw :out } } },
  masked: -> { Thread.handle_interrupt(Nudge => :never) { sleep 0.001 } },
  on_blocking: -> { Thread.handle_interrupt(Nudge => :on_blocking) { sleep 0.001 } },
  raising: -> { 5.times { begin; raise "inner"; rescue; nil; end } },
  ensuring: -> { begin; sleep 0.001; ensure; sleep 0.0005; end },
  string: -> { ("x" * 20_000).gsub("x", "yy").size },
  backtrace: -> { Thread.list.each(&:backtrace) },
  creation: -> { Array.new(4) { Thread.new { 1 } }.sum(&:value) },
}.freeze

def worker(name, wait)
  Thread.new do
    Thread.current.name = name.to_s
    Thread.current[:wait] = name
    # The flag counts more than the kill: an exception of a timeout may take the kill's place in an ensure clause.
    until Thread.current[:over]
      begin
        wait.call
      rescue Nudge
        Thread.current[:nudges] = (Thread.current[:nudges] || 0) + 1
      ensure
        Thread.current[:ensured] = true
      end
    end
  end
end

def finish(thread)
  thread[:over] = true
  thread.kill
end

# One round: some threads in random waits, random things done to them, then all killed and joined.
def round
  names = WAITS.keys.sample(WORKERS, random: RANDOM)
  threads = names.map { |name| worker(name, WAITS[name]) }
  killed = []
  (WORKERS * 4).times do
    thread = threads.sample(random: RANDOM)
    case RANDOM.rand(8)
    when 0, 1, 2 then thread.raise(Nudge, "nudged")
    when 3 then thread.alive? && thread.wakeup rescue ThreadError
    when 4 then QUEUE << 1; SIZED.pop(true) rescue ThreadError
    when 5 then WRITER.write_nonblock("x", exception: false)
    when 6 then Process.kill(:USR1, Process.pid)
    when 7
      # From now on it is left alone: what is raised in an ensure clause takes the place of the kill, as in CRuby.
      killed << finish(threads.delete(thread))
      threads << worker(name = WAITS.keys.sample(random: RANDOM), WAITS[name])
    end
    Thread.pass if RANDOM.rand(3) == 0
  end
  killed.concat(threads.map { |thread| finish(thread) })
  killed.each do |thread|
    thread.join(STALL) or give_up("#{thread.inspect} does not end")
  rescue Nudge, Timeout::ExitException
    # It came between two waits, where nothing catches it: the thread has ended all the same.
  end
  check(killed)
end

# After a round nothing may be held, and no thread alive.
def check(threads)
  $problems << "alive: #{threads.select(&:alive?).inspect}" if threads.any?(&:alive?)
  $problems << "the mutex is still locked" if MUTEX.locked?
  $problems << "the monitor is still owned" if MONITOR.mon_locked?
  if QUEUE.num_waiting + SIZED.num_waiting > 0
    $problems << "somebody waits in a queue: #{QUEUE.num_waiting}, #{SIZED.num_waiting}"
  end
  QUEUE.clear
  SIZED.clear
  READER.read_nonblock(65_536, exception: false)
  abort "soak: #{$problems.join("; ")}" unless $problems.empty?
end

def memory_mb
  File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i / 1024
end

def give_up(why)
  $stderr.puts "soak: #{why}"
  Thread.list.each do |thread|
    $stderr.puts "  #{thread.inspect} in #{thread[:wait].inspect}, interrupts pending: #{thread.pending_interrupt?}"
    (thread.backtrace || []).first(6).each { |at| $stderr.puts "      #{at}" }
  end
  exit!(1)
end

trap(:USR1) { $signals += 1 }
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
watchdog = Thread.new do
  seen = -1
  loop do
    sleep STALL
    give_up "no round has ended for #{STALL} s (#{$rounds} so far)" if $rounds == seen
    seen = $rounds
  end
end

while Process.clock_gettime(Process::CLOCK_MONOTONIC) - started < SECONDS
  round
  $rounds += 1
  mb = memory_mb
  abort "soak: #{mb} MB after #{$rounds} rounds" if mb > LIMIT_MB
end
watchdog.kill.join
# The last signals may still be on the way, and what the pool of idle threads holds is not Ruby's.
puts "soak: #{$rounds} rounds, #{$signals} signals, #{memory_mb} MB, #{Thread.list.size} thread"
