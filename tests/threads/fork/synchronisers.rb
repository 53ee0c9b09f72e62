# A child forked while other threads use Mutexes, queues, monitors and condition variables finds them free and empty of
# waiters.
# timeout: 60
require "monitor"
def child
  reader, writer = IO.pipe
  pid = fork do
    writer.write(Marshal.dump(yield))
    writer.close
    exit!(0)
  end
  writer.close
  answer = Marshal.load(reader.read)
  reader.close
  Process.wait(pid)
  answer
end
def children(&) = Array.new(20) { child(&) }.uniq

# Held and let go all the time.
mutex = Mutex.new
stop = false
busy = Array.new(3) { Thread.new { mutex.synchronize { Thread.pass } until stop } }
children { [mutex.synchronize { 1 }, mutex.locked?, Thread.new { mutex.synchronize { 2 } }.value, Thread.list.size] } # => [[1, false, 2, 1]]
stop = true
busy.each(&:join).size # => 3

# Held by another thread, waited for by others, held by the one that forks.
held = Queue.new
release = Queue.new
holder = Thread.new { mutex.synchronize { held << 1; release.pop } }
held.pop
waiting = Array.new(3) { Thread.new { mutex.synchronize { 1 } } }
Thread.pass until waiting.all?(&:stop?)
child { [mutex.locked?, mutex.owned?, mutex.try_lock, Thread.new { mutex.try_lock }.value, mutex.unlock.locked?] } # => [false, false, true, false, false]
child { [holder.status, holder.value, waiting.map(&:alive?), holder.join.equal?(holder), Thread.main == Thread.current] } # => [false, nil, [false, false, false], true, true]
release << 1
waiting.map(&:value) # => [1, 1, 1]
mutex.synchronize { child { [mutex.locked?, mutex.owned?, (mutex.lock rescue $!.message), mutex.unlock.locked?] } } # => [true, true, "deadlock; recursive locking", false]

queue, sized = Queue.new, SizedQueue.new(1)
sized << 0
poppers = Array.new(3) { Thread.new { queue.pop } }
pushers = Array.new(3) { Thread.new { sized << 1 } }
Thread.pass until (poppers + pushers).all?(&:stop?)
child { [queue.num_waiting, sized.num_waiting, queue.push(5).pop, sized.pop, sized.empty?, sized.push(7).pop, queue.pop(timeout: 0)] } # => [0, 0, 5, 0, true, 7, nil]
child { popper = Thread.new { queue.pop }; Thread.pass until popper.stop?; GC.start; queue << 9; popper.value } # => 9
[queue.num_waiting, sized.num_waiting] # => [3, 3]
queue.close
4.times { sized.pop }
(poppers + pushers).each(&:join).size # => 6

monitor = Monitor.new
condition = monitor.new_cond
stop = false
busy = Array.new(3) { Thread.new { monitor.synchronize { monitor.synchronize { condition.wait(0.001) } } until stop } }
children { [monitor.mon_locked?, monitor.synchronize { monitor.mon_owned? }, monitor.try_enter, monitor.exit] } # => [[false, true, true, nil]]
children { waits = Queue.new; waiter = Thread.new { monitor.synchronize { waits << 1; condition.wait; 3 } }; waits.pop; monitor.synchronize { condition.signal }; waiter.value } # => [3]
stop = true
busy.each(&:join).size # => 3
signal = ConditionVariable.new
waiting = Array.new(3) { Thread.new { mutex.synchronize { signal.wait(mutex); 1 } } }
Thread.pass until waiting.all?(&:stop?)
child { signal.signal; signal.broadcast; mutex.synchronize { signal.wait(mutex, 0.001) } } # => nil
mutex.synchronize { signal.broadcast }
waiting.map(&:value) # => [1, 1, 1]
