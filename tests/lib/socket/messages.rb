require "socket"
a, b = UNIXSocket.pair
a.sendmsg("hello") # => 5
b.recvmsg(3).first(2) # => ["hel", #<Addrinfo: empty-sockaddr SOCK_STREAM>]
b.recvmsg[0] # => "lo"
reader, writer = IO.pipe
a.sendmsg("x", 0, nil, Socket::AncillaryData.unix_rights(writer)) # => 1
text, address, flags, control = b.recvmsg(scm_rights: true)
text # => "x"
address # => #<Addrinfo: empty-sockaddr SOCK_STREAM>
control.cmsg_is?(:SOCKET, :RIGHTS) # => true
control.unix_rights.size # => 1
control.unix_rights[0].write("through") # => 7
control.unix_rights[0].close
writer.close
reader.read # => "through"
before = Dir.children("/proc/self/fd").size
a.sendmsg("x", 0, nil, [:SOCKET, :RIGHTS, [1].pack("i")]) # => 1
b.recvmsg.size # => 4
Dir.children("/proc/self/fd").size - before # => 0
a.send_io(STDERR) # => nil
b.recv_io(IO).class # => IO
a.send_io(a) # => nil
b.recv_io(UNIXSocket).class # => UNIXSocket
a.send_io(1) # => nil
b.recv_io(nil).class # => Integer
a.send_io("x") # raises TypeError: neither IO nor file descriptor
a.write("no descriptor")
b.recv_io # raises SocketError
a.sendmsg("x", 0, nil, [1, 2]) # raises ArgumentError: an element of controls should be 3-elements array
a.sendmsg("x", 0, nil, [:SOCKET, :NOPE, ""]) # raises SocketError: unknown UNIX control message: NOPE
udp = UDPSocket.new
udp.bind("127.0.0.1", 0)
port = udp.addr[1]
udp.send("x" * 20_000, 0, "127.0.0.1", port) # => 20000
udp.recvmsg[0].size # => 20000
udp.send("abcdef", 0, "127.0.0.1", port) # => 6
text, from, flags = udp.recvmsg(3)
text # => "abc"
flags & Socket::MSG_TRUNC != 0 # => true
from.ip_port == port # => true
udp.send("abcdef", 0, Socket.sockaddr_in(port, "127.0.0.1")) # => 6
udp.recvfrom(10)[0] # => "abcdef"
udp.send("q", 0) # raises Errno::EDESTADDRREQ: Destination address required - send(2)
udp.recv(-1) # raises ArgumentError: negative string size (or size too big)
