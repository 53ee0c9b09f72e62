# An echo server with a thread for each connection, beside threads that compute:
# requests per second and how long they take.
#
#   rubellite bench/threads/echo.rb [SECONDS=3] [BUSY=2] [CONNECTIONS=4]
#
# The clients are one other process, which sends a line on each connection and waits for all of them in turn.
require "rbconfig"
require "socket"

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

def ask(port, seconds, connections)
  sockets = Array.new(connections) { TCPSocket.new("127.0.0.1", port) }
  sockets.each { |socket| socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1) }
  sent = {}
  times = []
  send_one = ->(socket) { sent[socket] = now; socket.write("ping\n") }
  sockets.each(&send_one)
  stop = now + seconds
  while now < stop
    IO.select(sockets)[0].each do |socket|
      socket.readpartial(64)
      times << now - sent[socket]
      send_one.(socket)
    end
  end
  times.sort!
  puts format("%d requests per second, p50 %.3f ms, p99 %.3f ms", times.size / seconds, times[times.size / 2] * 1e3,
              times[times.size * 99 / 100] * 1e3)
end

if ARGV[0] == "--ask"
  ask(Integer(ARGV[1]), Float(ARGV[2]), Integer(ARGV[3]))
  exit
end

seconds = Float(ARGV[0] || 3)
busy = Integer(ARGV[1] || 2)
connections = Integer(ARGV[2] || 4)
server = TCPServer.new("127.0.0.1", 0)
Thread.new do
  while (socket = server.accept)
    socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
    Thread.new(socket) { |own| while (line = own.gets); own.write(line); end }
  end
end
busy.times { Thread.new { loop { 1000.times { |i| i * i } } } }
print IO.popen([RbConfig.ruby, __FILE__, "--ask", server.addr[1].to_s, seconds.to_s, connections.to_s], &:read)
