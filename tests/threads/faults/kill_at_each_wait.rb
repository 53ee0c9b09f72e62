# Each wait ends by a kill at once, its ensure clause runs, and nothing stays locked or on a list of waiters.
require "monitor"
require "timeout"
queue = Thread::Queue.new
full = Thread::SizedQueue.new(1).tap { |q| q << 0 }
mutex = Thread::Mutex.new.tap(&:lock)
own = Thread::Mutex.new
monitor = Monitor.new.tap(&:enter)
other_monitor = Monitor.new
condition = other_monitor.new_cond
variable = Thread::ConditionVariable.new
reader, writer = IO.pipe
clogged, clog = IO.pipe
clog.write_nonblock("x" * 65_536)
sleeper = Thread.new { sleep }
WAITS = {
  sleep: -> { sleep },
  sleep_long: -> { sleep 1000 },
  stop: -> { Thread.stop },
  pop: -> { queue.pop },
  pop_timeout: -> { queue.pop(timeout: 1000) },
  push: -> { full << 1 },
  push_timeout: -> { full.push(1, timeout: 1000) },
  lock: -> { mutex.lock },
  synchronize: -> { mutex.synchronize { } },
  mutex_sleep: -> { own.synchronize { own.sleep(1000) } },
  monitor: -> { monitor.synchronize { } },
  monitor_wait: -> { other_monitor.synchronize { condition.wait } },
  condition: -> { own.synchronize { variable.wait(own) } },
  join: -> { sleeper.join },
  join_limit: -> { sleeper.join(1000) },
  value: -> { sleeper.value },
  read: -> { reader.read(1) },
  readpartial: -> { reader.readpartial(1) },
  gets: -> { reader.gets },
  wait_readable: -> { reader.wait_readable },
  select: -> { IO.select([reader]) },
  select_timeout: -> { IO.select([reader], nil, nil, 1000) },
  write: -> { clog.write("y" * 100_000) },
  child: -> { Process.wait(spawn("sleep 20")) },
  timeout: -> { Timeout.timeout(1000) { sleep } },
  fiber: -> { Fiber.new { sleep }.resume },
}
WORK = {
  computes: -> { loop { } },
  regexp: -> { loop { /(x+x+)+\1y/.match?("x" * 28) } },
  integer: -> { loop { (3**400_000).to_s } },
}
def end_of(wait, &ending)
  log = []
  begun = false
  thread = Thread.new do
    Thread.current.report_on_exception = false
    begun = true
    wait.call
  ensure
    log << :ensure
  end
  Thread.pass until begun && (thread.stop? || WORK.value?(wait))
  sleep 0.003
  ending.call(thread)
  ended = thread.join(10) rescue $!.class
  [ended.equal?(thread) || ended, log]
end
# timeout: 120
WAITS.merge(WORK).map { |name, wait| [name, end_of(wait, &:kill)] }.reject { |_, outcome| outcome == [true, [:ensure]] } # => []
WAITS.merge(WORK).map { |name, wait| [name, end_of(wait) { |thread| thread.raise(IOError, "now") }] }.reject { |_, outcome| outcome == [IOError, [:ensure]] } # => []
[queue.num_waiting, full.num_waiting, own.locked?, other_monitor.mon_locked?] # => [0, 0, false, false]
[mutex.owned?, monitor.mon_owned?] # => [true, true]
mutex.unlock.synchronize { :free } # => :free
monitor.exit
Thread.new { monitor.synchronize { :free } }.value # => :free
sleeper.kill.join.status # => false
