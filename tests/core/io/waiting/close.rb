# A close ends every wait for the IO, once each, and leaves no descriptor behind.
# timeout: 30
fds = -> { Dir.children("/proc/self/fd").size }
settle = ->(threads) { sleep 0.005 until threads.all? { |t| t.status == "sleep" } }
before = fds.call

WAITS = {
  "read" => ->(r) { r.read(1) },
  "gets" => ->(r) { r.gets },
  "getc" => ->(r) { r.getc },
  "readpartial" => ->(r) { r.readpartial(9) },
  "sysread" => ->(r) { r.sysread(9) },
  "each_line" => ->(r) { r.each_line { } },
  "eof?" => ->(r) { r.eof? },
  "wait_readable" => ->(r) { r.wait_readable },
  "select" => ->(r) { IO.select([r]) },
  "copy_stream" => ->(r) { IO.copy_stream(r, "/dev/null") },
}
answers = WAITS.map do |name, wait|
  r, w = IO.pipe
  thread = Thread.new { [wait.call(r)] rescue [$!.class, $!.message] }
  settle.call([thread])
  r.close
  w.close
  [name, thread.value]
end
answers.reject { |_, answer| answer == [IOError, "stream closed in another thread"] } # => []

# A writer that is stuck in a full pipe.
r, w = IO.pipe
writer = Thread.new { [w.write("x" * 1_000_000)] rescue [$!.class, $!.message] }
settle.call([writer])
w.close
writer.value # => [IOError, "stream closed in another thread"]
r.read.size <= 65536 # => true
r.close

# Many waiters, each one error and no more.
r, w = IO.pipe
errors = Queue.new
threads = (0...200).map do
  Thread.new do
    begin
      r.read(1)
    rescue IOError => e
      errors << e
    end
    sleep 0.01
  rescue IOError
    errors << :second
  end
end
settle.call(threads)
r.close
threads.each(&:join)
errors.size # => 200
w.close

# Two threads close at once; a third waits.
100.times do
  a, b = IO.pipe
  waiter = Thread.new { a.read(1) rescue $!.class }
  closers = (0...2).map { Thread.new { a.close } }
  closers.each(&:join)
  waiter.join
  b.close
end
r, w = IO.pipe
# The thread that closes may be a signal's handler on the thread that waits.
main = Thread.current
trap("USR1") { r.close }
Thread.new { settle.call([main]); Process.kill("USR1", $$) }
begin
  r.read(1)
rescue IOError => e
  e.message # => "stream closed in another thread"
end
w.close
trap("USR1", "DEFAULT")
fds.call - before <= 2 # => true

# The message is one frozen String for all, the exceptions are each thread's own.
reader, writer = IO.pipe
waiting = 3.times.map { Thread.new { reader.read(1) rescue $! } }
sleep 0.01 until waiting.all? { |thread| thread.status == "sleep" }
reader.close
raised = waiting.map(&:value)
writer.close
raised.map(&:message).uniq(&:object_id) # => ["stream closed in another thread"]
raised.map { |e| [e.frozen?, e.message.frozen?, e.message.encoding] }.uniq # => [[false, true, #<Encoding:US-ASCII>]]
raised.uniq(&:object_id).size # => 3
