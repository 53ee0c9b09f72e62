require "socket"
sockets = Socket.tcp_server_sockets("127.0.0.1", 0)
port = sockets[0].local_address.ip_port
thread = Thread.new do
  Socket.accept_loop(sockets) do |socket, address|
    socket.write("#{address.ip_address} #{socket.gets}")
    socket.close
  end
end
Socket.tcp("127.0.0.1", port) { |s| s.puts "one"; s.read } # => "127.0.0.1 one\n"
TCPSocket.open("127.0.0.1", port) { |s| s.puts "two"; s.read } # => "127.0.0.1 two\n"
Socket.tcp("127.0.0.1", port, fast_fallback: false) { |s| s.puts "three"; s.read } # => "127.0.0.1 three\n"
Socket.tcp("127.0.0.1", port, "127.0.0.1", 0) { |s| s.puts "four"; s.read } # => "127.0.0.1 four\n"
Addrinfo.tcp("127.0.0.1", port).connect { |s| s.puts "five"; s.read } # => "127.0.0.1 five\n"
Addrinfo.tcp("127.0.0.1", port).connect_from("127.0.0.1", 0) { |s| s.puts "six"; s.read } # => "127.0.0.1 six\n"
thread.kill.join.equal?(thread) # => true
sockets.each(&:close)
path = "/tmp/rubellite_socket_test_#{$$}"
thread = Thread.new { Socket.unix_server_loop(path) { |s, _| s.write(s.gets.upcase); s.close } }
sleep 0.001 until File.socket?(path)
Socket.unix(path) { |s| s.puts "local"; s.read } # => "LOCAL\n"
UNIXSocket.open(path) { |s| s.puts "again"; s.read } # => "AGAIN\n"
thread.kill.join
File.exist?(path) # => false
server = UNIXServer.new(path)
[server.path == path, server.addr, server.inspect == "#<UNIXServer:#{path}>"].values_at(0, 2) # => [true, true]
UNIXServer.new(path) rescue $!.class # => Errno::EADDRINUSE
File.unlink(path)
udp = Socket.udp_server_sockets("127.0.0.1", 0)
port = udp[0].local_address.ip_port
thread = Thread.new { Socket.udp_server_loop_on(udp) { |text, source| source.reply(text.reverse) } }
client = UDPSocket.new
client.connect("127.0.0.1", port)
client.send("abc", 0) # => 3
client.recv(10) # => "cba"
thread.kill.join
Socket.accept_loop # raises ArgumentError: no sockets
Socket.tcp("127.0.0.1", 1) # raises Errno::ECONNREFUSED: Connection refused - connect(2) for 127.0.0.1:1
TCPSocket.new("127.0.0.1", 1) # raises Errno::ECONNREFUSED: Connection refused - connect(2) for "127.0.0.1" port 1
UNIXSocket.new("/tmp/nonono") # raises Errno::ENOENT: No such file or directory - connect(2) for /tmp/nonono
UNIXServer.new("/nodir/nonono") # raises Errno::ENOENT: No such file or directory - connect(2) for /nodir/nonono
UNIXServer.new("/tmp/" + "x" * 200) # raises ArgumentError: too long unix socket path (205bytes given but 108bytes max)
TCPSocket.new("nosuch.invalid", 1) rescue $!.class # => Socket::ResolutionError
BasicSocket.new(1) rescue $!.class # => NoMethodError
BasicSocket.for_fd(999) # raises Errno::EBADF
Socket.for_fd(IO.pipe[0].fileno) # raises Errno::EBADF: Bad file descriptor - not a socket file descriptor
