require "socket"
server = TCPServer.new("127.0.0.1", 0)
port = server.addr[1]
t = Thread.new do
  client = server.accept
  line = client.gets
  client.puts "echo #{line}"
  client.close
  line
end
c = TCPSocket.new("127.0.0.1", port)
c.puts "hello"
c.gets # => "echo hello\n"
c.gets # => nil
t.value # => "hello\n"
c.peeraddr[0] # => "AF_INET"
c.close # => nil
server.close # => nil
TCPSocket.new("127.0.0.1", port) # raises Errno::ECONNREFUSED
u1 = UDPSocket.new
u1.bind("127.0.0.1", 0)
u2 = UDPSocket.new
u2.connect("127.0.0.1", u1.addr[1])
u2.send("ping", 0) # => 4
u1.recvfrom(10).first # => "ping"
a, b = UNIXSocket.pair
a.write("x")
b.readpartial(5) # => "x"
a.close
b.read # => ""
a, b = Socket.pair(:UNIX, :STREAM, 0)
a.class # => Socket
waiting = TCPServer.new("127.0.0.1", 0)
w = Thread.new { begin; waiting.accept; rescue IOError => e; e.message; end }
Thread.pass until w.stop?
waiting.close
w.value # => "stream closed in another thread"
