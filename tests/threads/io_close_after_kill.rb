# A thread that is killed, or told to raise, before the IO is closed that it waits for does that,
# and not the IOError of the close.
require "socket"
def asleep(thread) = (Thread.pass until thread.status == "sleep")

server = TCPServer.new("127.0.0.1", 0)
t = Thread.new { server.accept }
asleep(t)
t.kill
server.close
t.value # => nil

r, w = IO.pipe
readers = 3.times.map { Thread.new { Thread.current.report_on_exception = false; r.read(1) } }
readers.each { |reader| asleep(reader) }
readers[0].kill
readers[1].raise(ArgumentError, "told")
r.close
readers[0].value # => nil
readers[1].value # raises ArgumentError: told
readers[2].value # raises IOError: stream closed in another thread
