require "socket"

def outcome
  yield
rescue SystemCallError, IOError => error
  error.class
end

def descriptors = Dir.children("/proc/self/fd").size

def pair
  server = TCPServer.new("127.0.0.1", 0)
  client = TCPSocket.new("127.0.0.1", server.addr[1])
  [client, server.accept].tap { server.close }
end

pair.each(&:close)
before = descriptors

# Half-closed: the other direction goes on.
a, b = pair
a.close_write
b.read # => ""
b.write("still") # => 5
b.close_write # => nil
a.read # => "still"
a.closed? # => false
outcome { a.write("x") } # => IOError
a.close_read
a.closed? # => true
b.close

# The peer resets the connection.
a, b = pair
b.setsockopt(Socket::Option.linger(true, 0))
b.close
outcome { a.read } # => Errno::ECONNRESET
outcome { a.write("x"); a.write("x") } # => Errno::EPIPE
a.close

# Writing after the peer has closed.
a, b = pair
b.close
outcome { loop { a.write("x" * 1000) } }.then { [Errno::EPIPE, Errno::ECONNRESET].include?(it) } # => true
a.close

# Closing from two threads: each waiter gets one IOError, the descriptor goes once.
a, b = pair
waiters = 4.times.map { Thread.new { outcome { a.recv(1) } } }
Thread.pass until waiters.all?(&:stop?)
2.times.map { Thread.new { a.close } }.each(&:join)
waiters.map(&:value) # => [IOError, IOError, IOError, IOError]
b.close

server = TCPServer.new("127.0.0.1", 0)
waiters = 4.times.map { Thread.new { outcome { server.accept } } }
Thread.pass until waiters.all?(&:stop?)
server.close
waiters.map(&:value) # => [IOError, IOError, IOError, IOError]

# Killing a thread that waits.
server = TCPServer.new("127.0.0.1", 0)
a, b = pair
udp = UDPSocket.new
udp.bind("127.0.0.1", 0)
hole, end_of_hole = UNIXSocket.pair
threads = [
  Thread.new { server.accept },
  Thread.new { a.recv(1) },
  Thread.new { a.gets },
  Thread.new { udp.recvfrom(1) },
  Thread.new { udp.recvmsg },
  Thread.new { Socket.accept_loop([server]) { } },
  Thread.new { hole.write("x" * 10_000_000) },
]
Thread.pass until threads.all?(&:stop?)
threads.each(&:kill).each(&:join)
threads.map(&:status) # => [false, false, false, false, false, false, false]
threads = 2.times.map { Thread.new { begin; server.accept; rescue => e; e.message; end } }
Thread.pass until threads.all?(&:stop?)
threads.each { it.raise("enough") }
threads.map(&:value) # => ["enough", "enough"]
[server, a, b, udp].each(&:close)
[hole, end_of_hole].each(&:close)
GC.start

# No descriptor is left over, whatever failed.
outcome { TCPSocket.new("127.0.0.1", 1) } # => Errno::ECONNREFUSED
outcome { Socket.tcp("127.0.0.1", 1) } # => Errno::ECONNREFUSED
outcome { UNIXSocket.new("/nonono") } # => Errno::ENOENT
outcome { Addrinfo.tcp("127.0.0.1", 1).connect } # => Errno::ECONNREFUSED
descriptors <= before + 1 # => true

# Descriptors run out; the server goes on after it.
soft, hard = Process.getrlimit(:NOFILE)
server = TCPServer.new("127.0.0.1", 0)
Process.setrlimit(:NOFILE, descriptors + 4, hard)
kept = []
error = outcome { loop { kept << TCPSocket.new("127.0.0.1", server.addr[1]) } }
error # => Errno::EMFILE
kept.pop.close
kept.each(&:close)
Process.setrlimit(:NOFILE, soft, hard)
server.accept.class # => TCPSocket
server.close
