# Abstract names of local sockets, names that the kernel chooses, ends of sequenced packets, sockets closed by a
# conversion.
require "socket"
Socket.pack_sockaddr_un("\0foo") # => "\x01\x00\x00foo"
Socket.unpack_sockaddr_un(Socket.pack_sockaddr_un("\0foo\0\0")) # => "\x00foo"
[Socket.pack_sockaddr_un(""), Socket.pack_sockaddr_un("a")].map(&:bytesize) # => [2, 110]
Addrinfo.unix("\0foo").to_sockaddr.bytesize # => 6
Addrinfo.unix("a").unix_path.encoding # => #<Encoding:BINARY (ASCII-8BIT)>
Socket.unix_server_socket("") { |socket| socket.local_address.unix_path.match?(/\A\0\h{5}\z/) } # => true
server = UNIXServer.new("")
client = Socket.unix(server.local_address.unix_path)
client.remote_address.unix_path == server.local_address.unix_path # => true
UNIXSocket.new("").class # raises Errno::EINVAL

one, other = UNIXSocket.pair(Socket::SOCK_SEQPACKET)
other.close
[one.recv(10), one.recvmsg, one.recv_nonblock(10), one.recvmsg_nonblock(10)] # => [nil, nil, nil, nil]
one, other = UNIXSocket.pair(Socket::SOCK_DGRAM)
other.send("", 0)
one.recv(10) # => ""

def closing(socket, value, name) = Object.new.tap { |o| o.define_singleton_method(name) { socket.close; value } }
s = one
s.getsockopt(Socket::SOL_SOCKET, closing(s, Socket::SO_TYPE, :to_int)) # raises IOError: closed stream
u = UDPSocket.new
u.bind(closing(u, "127.0.0.1", :to_str), 0) # raises IOError: closed stream
u = UDPSocket.new
u.connect(closing(u, "127.0.0.1", :to_str), 1) # raises IOError: closed stream
u = UDPSocket.new
u.send("x", 0, closing(u, "127.0.0.1", :to_str), 1) # raises IOError: closed stream
