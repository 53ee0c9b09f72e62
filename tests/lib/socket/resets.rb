# Errors of a connection that the other side has reset or closed
require "socket"
SERVER = TCPServer.new("127.0.0.1", 0)
def reset
  client = TCPSocket.new("127.0.0.1", SERVER.addr[1])
  accepted = SERVER.accept
  accepted.setsockopt(Socket::Option.linger(true, 0))
  accepted.close
  client.wait_readable(5)
  client
end
reset.read # raises Errno::ECONNRESET: Connection reset by peer
reset.readpartial(3) # raises Errno::ECONNRESET: Connection reset by peer
reset.sysread(3) # raises Errno::ECONNRESET: Connection reset by peer
reset.read_nonblock(3, exception: false) # raises Errno::ECONNRESET: Connection reset by peer
reset.then { |io| io.gets rescue $!.message.sub("fd:#{io.fileno} ", "fd:N ") } # => "Connection reset by peer @ io_fillbuf - fd:N "
reset.then { |io| io.getbyte rescue $!.message.sub("fd:#{io.fileno} ", "fd:N ") } # => "Connection reset by peer @ io_fillbuf - fd:N "
reset.write_nonblock("x", exception: false) # raises Errno::ECONNRESET: Connection reset by peer
near, far = UNIXSocket.pair
far.close
near.write_nonblock("x") # raises Errno::EPIPE: Broken pipe
near.write("x") # raises Errno::EPIPE: Broken pipe
near.close
near, far = UNIXSocket.pair
near.write("x")
far.close
near.read # raises Errno::ECONNRESET: Connection reset by peer
# Two threads close at once, beside one that reads.
fds = -> { Dir.children("/proc/self/fd").size }
before = fds.call
results = 20.times.map do
  near, far = UNIXSocket.pair
  reading = Thread.new { near.read rescue $!.class }
  Thread.pass until reading.stop?
  closed = 3.times.map { Thread.new { near.close } }.map(&:value)
  far.close
  [reading.value, closed]
end
results.uniq # => [[IOError, [nil, nil, nil]]]
fds.call <= before # => true
