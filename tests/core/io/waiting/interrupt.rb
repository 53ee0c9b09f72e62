# A kill or raise ends each kind of wait at once; what has arrived is not lost.
# timeout: 30
require "timeout"
settle = ->(threads) { sleep 0.005 until threads.all? { |t| t.status == "sleep" } }
fds = -> { Dir.children("/proc/self/fd").size }
before = fds.call
waits = [->(r, _) { r.read(1) }, ->(r, _) { r.gets }, ->(r, _) { r.sysread(1) }, ->(r, _) { IO.select([r]) },
         ->(r, _) { r.wait_readable }, ->(_, w) { w.write("x" * 1_000_000) },
         ->(_, w) { w.syswrite("y" * 4096) while true }]
killed = waits.map do |wait|
  r, w = IO.pipe
  t = Thread.new { wait.call(r, w) }
  settle.call([t])
  t.kill
  ended = !t.join(5).nil?
  r.close
  w.close
  ended
end
killed.uniq # => [true]

raised = waits.map do |wait|
  r, w = IO.pipe
  t = Thread.new { wait.call(r, w) rescue $!.message }
  settle.call([t])
  t.raise("stop")
  message = t.value
  r.close
  w.close
  message
end
raised.uniq # => ["stop"]

# A follower is killed, then the one that polls: the others go on.
r, w = IO.pipe
threads = (0...4).map { Thread.new { r.readpartial(1) } }
settle.call(threads)
threads[1].kill.join
threads[0].kill.join
w.write("ab")
threads[2, 2].map(&:value).sort # => ["a", "b"]

# Lines are neither lost nor doubled when several threads take them, some of which are interrupted.
r, w = IO.pipe
seen = Queue.new
readers = (0...8).map do
  Thread.new do
    while line = r.gets
      seen << line.to_i
    end
  end
end
writers = (0...4).map { |i| Thread.new { 500.times { |k| w.write("#{i * 500 + k}\n") } } }
writers.each(&:join)
w.close
readers.each(&:join)
got = Array.new(seen.size) { seen.pop }
got.sort == (0...2000).to_a # => true
r.close

r, w = IO.pipe
begin
  Timeout.timeout(0.05) { r.read(1) }
rescue Timeout::Error => e
  e.class # => Timeout::Error
end
r.timeout = 0.02
begin
  r.read(1)
rescue IO::TimeoutError => e
  e.message # => "Blocking operation timed out!"
end
w.write("late")
r.readpartial(10) # => "late"
r.close
w.close

# Signals are handled while all threads wait.
r, w = IO.pipe
count = 0
trap("USR1") { count += 1; w.write("s") }
others = (0...3).map { Thread.new { sleep } }
Thread.new { sleep 0.03; Process.kill("USR1", $$) }
r.read(1) # => "s"
count # => 1
others.each(&:kill).each(&:join)
trap("USR1", "DEFAULT")
r.close
w.close
fds.call - before <= 2 # => true
