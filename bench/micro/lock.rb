# Costs of leaving and passing the VM lock in nanoseconds: blocking regions with nobody waiting, thread switches,
# mutexes and queues.
ROUNDS = 5

def clock
  Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
end

def report(name, times)
  best = nil
  ROUNDS.times do
    start = clock
    yield times
    spent = clock - start
    best = spent if best.nil? || spent < best
  end
  puts format("%.1f %s", best / times.to_f, name)
end

null = File.open("/dev/null", "w")
null.sync = true
zero = File.open("/dev/zero", "r")
reader, writer = IO.pipe
lock = Mutex.new
queue = Thread::Queue.new

report("Thread.pass with nobody waiting", 200_000) { |n| i = 0; while i < n; Thread.pass; i += 1; end }
report("write of one byte to /dev/null", 200_000) { |n| i = 0; while i < n; null.syswrite("a"); i += 1; end }
report("read of one byte from /dev/zero", 200_000) { |n| i = 0; while i < n; zero.sysread(1); i += 1; end }
report("write and read of one byte through a pipe", 100_000) do |n|
  i = 0
  while i < n; writer.syswrite("a"); reader.sysread(1); i += 1; end
end
report("sleep(0)", 20_000) { |n| i = 0; while i < n; sleep(0); i += 1; end }
report("Mutex#synchronize uncontended", 300_000) { |n| i = 0; while i < n; lock.synchronize { }; i += 1; end }
report("Queue push and pop by one thread", 300_000) { |n| i = 0; while i < n; queue << i; queue.pop; i += 1; end }
report("Thread.new and join", 2_000) { |n| i = 0; while i < n; Thread.new { }.join; i += 1; end }
report("round trip between two threads through queues", 10_000) do |n|
  there = Thread::Queue.new
  back = Thread::Queue.new
  echo = Thread.new { while (x = there.pop); back << x; end }
  i = 0
  while i < n
    there << 1
    back.pop
    i += 1
  end
  there << nil
  echo.join
end
report("an item through 100 places to one of ten consumers", 100_000) do |n|
  places = Thread::SizedQueue.new(100)
  consumers = Array.new(10) { Thread.new { nil while places.pop } }
  i = 0
  while i < n
    places << i
    i += 1
  end
  10.times { places << nil }
  consumers.each(&:join)
end
report("turns of 50 threads that a condition variable wakes", 10_000) do |n|
  ready = Thread::ConditionVariable.new
  all = Thread::ConditionVariable.new
  waiting = 0
  rounds = n / 50
  threads = Array.new(50) do
    Thread.new do
      lock.synchronize do
        rounds.times do
          all.signal if (waiting += 1) == 50
          ready.wait(lock)
        end
      end
    end
  end
  lock.synchronize do
    rounds.times do
      all.wait(lock) until waiting == 50
      waiting = 0
      ready.broadcast
    end
  end
  threads.each(&:join)
end
report("round trip between two threads through Thread.pass", 10_000) do |n|
  turn = 0
  other = Thread.new { i = 0; while i < n; Thread.pass until turn == 1; turn = 0; i += 1; end }
  i = 0
  while i < n
    turn = 1
    Thread.pass until turn == 0
    i += 1
  end
  other.join
end
