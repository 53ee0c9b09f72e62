require "socket"
server = TCPServer.new("127.0.0.1", 0)
server.accept_nonblock # raises IO::EAGAINWaitReadable: Resource temporarily unavailable - accept(2) would block
server.accept_nonblock(exception: false) # => :wait_readable
client = TCPSocket.new("127.0.0.1", server.addr[1])
peer = server.accept
peer.recv_nonblock(5) # raises IO::EAGAINWaitReadable: Resource temporarily unavailable - recvfrom(2) would block
peer.recv_nonblock(5, exception: false) # => :wait_readable
peer.read_nonblock(5) # raises IO::EAGAINWaitReadable: Resource temporarily unavailable - read would block
peer.read_nonblock(5, exception: false) # => :wait_readable
peer.recvmsg_nonblock(5) # raises IO::EAGAINWaitReadable: Resource temporarily unavailable - recvmsg(2) would block
peer.recvmsg_nonblock(exception: false) # => :wait_readable
client.write_nonblock("hello") # => 5
peer.wait_readable.equal?(peer) # => true
peer.recv(2, Socket::MSG_PEEK) # => "he"
peer.recv_nonblock(2) # => "he"
buffer = +"xyz"
peer.read_nonblock(10, buffer) # => "llo"
buffer # => "llo"
buffer.encoding # => #<Encoding:UTF-8>
client.puts "ab", "cd"
peer.gets # => "ab\n"
peer.recv(3) # raises IOError: recv for buffered IO
peer.read_nonblock(100) # => "cd\n"
loop { break if client.write_nonblock("x" * 100_000, exception: false) == :wait_writable }
client.write_nonblock("x" * 100_000) # raises IO::EAGAINWaitWritable: Resource temporarily unavailable - write would block
client.sendmsg_nonblock("x" * 100_000, exception: false) # => :wait_writable
client.close
peer.read.count("x") > 100_000 # => true
peer.recv(5) # => nil
peer.recv_nonblock(5) # => nil
peer.read_nonblock(5) # raises EOFError: end of file reached
peer.read_nonblock(5, exception: false) # => nil
peer.close
socket = Socket.new(:INET, :STREAM)
socket.connect_nonblock(Socket.sockaddr_in(server.addr[1], "127.0.0.1")) # raises IO::EINPROGRESSWaitWritable: Operation now in progress - connect(2) would block
socket.wait_writable.equal?(socket) # => true
socket.connect_nonblock(Socket.sockaddr_in(server.addr[1], "127.0.0.1"), exception: false) # => 0
socket.connect_nonblock(Socket.sockaddr_in(server.addr[1], "127.0.0.1")) # raises Errno::EISCONN
socket.close
server.close
server.accept_nonblock # raises IOError: closed stream
udp = UDPSocket.new
udp.bind("127.0.0.1", 0)
udp.recvfrom_nonblock(5) # raises IO::EAGAINWaitReadable: Resource temporarily unavailable - recvfrom(2) would block
udp.recvfrom_nonblock(5, exception: false) # => :wait_readable
