# Two threads that close one IO, closes and kills in the middle of a copy, a fork while other threads write:
# nobody hangs, nothing stays open.
require "socket"
require "timeout"
def descriptors = Dir.children("/proc/self/fd").size
GC.disable
before = descriptors

# Closed by two at once, while a third waits in it.
outcomes = 50.times.flat_map do
  reader, writer = IO.pipe
  waiter = Thread.new { reader.read(1) rescue $!.class }
  Thread.pass until waiter.stop?
  closers = 2.times.map { Thread.new { reader.close } }
  Timeout.timeout(10) { closers.each(&:join) }
  writer.close
  [waiter.value, reader.closed?]
end
outcomes.uniq # => [IOError, true]
descriptors == before # => true

# An end of a copy is closed, its thread is killed, interrupted: the copy ends.
source, feed = UNIXSocket.pair
sink, drain = UNIXSocket.pair
copy = Thread.new { IO.copy_stream(source, sink) rescue $!.class }
feed.write("x" * 1000)
drain.read(1000).size # => 1000
source.close
copy.value # => IOError
[feed, sink, drain].each(&:close)
source, feed = IO.pipe
copy = Thread.new { IO.copy_stream(source, File::NULL) }
feed.write("x" * 100_000)
copy.kill
copy.join(10).nil? # => false
(begin; Timeout.timeout(0.05) { IO.copy_stream(source, File::NULL) }; rescue Timeout::Error; :timeout; end) # => :timeout
[source, feed].each(&:close)
descriptors == before # => true

# A server that is closed under its acceptors, and a select over what is closed.
server = TCPServer.new("127.0.0.1", 0)
acceptors = 3.times.map { Thread.new { server.accept rescue $!.class } }
Thread.pass until acceptors.all?(&:stop?)
server.close
acceptors.map(&:value) # => [IOError, IOError, IOError]
descriptors == before # => true

# Children of a program whose other threads write all the time can write to the same IOs.
reader, writer = IO.pipe
stop = false
writers = 3.times.map { Thread.new { writer.write("parent\n") until stop } }
eater = Thread.new { lines = Hash.new(0); while (line = reader.gets); lines[line] += 1; end; lines }
statuses = 20.times.map do
  pid = fork do
    writer.write("child\n")
    writer.close
    exit!(0)
  end
  Timeout.timeout(20) { Process.wait2(pid)[1].exitstatus }
end
stop = true
writers.each(&:join)
writer.close
statuses.uniq # => [0]
eater.value.then { |lines| [lines.keys.sort, lines["child\n"]] } # => [["child\n", "parent\n"], 20]
reader.close
descriptors == before # => true

# A signal while every thread waits.
trapped = 0
trap("USR2") { trapped += 1 }
reader, writer = IO.pipe
waiting = 3.times.map { Thread.new { reader.wait_readable && :ready } }
Thread.pass until waiting.all?(&:stop?)
pid = fork { 20.times { Process.kill(:USR2, Process.ppid); sleep 0.002 }; exit!(0) }
Process.wait(pid)
sleep 0.05
trapped > 0 # => true
writer.close
waiting.map(&:value).uniq # => [:ready]
reader.close
descriptors == before # => true
