require "socket"
server = TCPServer.new("127.0.0.1", 0)
client = TCPSocket.new("127.0.0.1", server.addr[1])
client.getsockopt(:SOCKET, :LINGER) # => #<Socket::Option: INET SOCKET LINGER off 0sec>
client.getsockopt(:TCP, :NODELAY) # => #<Socket::Option: INET TCP NODELAY 0>
client.getsockopt(:SOCKET, :TYPE) # => #<Socket::Option: INET SOCKET TYPE SOCK_STREAM>
client.getsockopt(:SOCKET, :ERROR) # => #<Socket::Option: INET SOCKET ERROR Success (0)>
client.getsockopt(:SOCKET, :RCVTIMEO) # => #<Socket::Option: INET SOCKET RCVTIMEO 0.000000sec>
client.setsockopt(:SOCKET, :KEEPALIVE, true) # => 0
client.getsockopt("SOCKET", "SO_KEEPALIVE").bool # => true
client.setsockopt(Socket::Option.linger(true, 3)) # => 0
client.getsockopt(Socket::SOL_SOCKET, Socket::SO_LINGER).linger # => [true, 3]
client.setsockopt(:TCP, :NODELAY, 1) # => 0
client.getsockopt(:TCP, :NODELAY).int # => 1
client.getsockopt(:SOCKET, :NOPE) # raises SocketError: unknown socket level option name: NOPE
client.getsockopt(:NOPE, :NOPE) # raises SocketError: unknown protocol level: NOPE
client.setsockopt(:SOCKET, :REUSEADDR) # raises ArgumentError: wrong number of arguments (given 2, expected 3)
client.setsockopt(:SOCKET, :REUSEADDR, nil) # raises TypeError: no implicit conversion of nil into String
Socket::Option.int(:INET, :SOCKET, :KEEPALIVE, 1) # => #<Socket::Option: INET SOCKET KEEPALIVE 1>
Socket::Option.bool(:INET, :SOCKET, :KEEPALIVE, false).data # => "\x00\x00\x00\x00"
Socket::Option.linger(true, 3) # => #<Socket::Option: UNSPEC SOCKET LINGER on 3sec>
Socket::Option.linger(false, 0).int # raises TypeError: size differ.  expected as sizeof(int)=4 but 8
Socket::Option.int(:INET, :IP, :TTL, 3) # => #<Socket::Option: INET IP TTL "\x03\x00\x00\x00">
Socket::Option.ipv4_multicast_ttl(7) # => #<Socket::Option: INET IP MULTICAST_TTL 7>
Socket::Option.ipv4_multicast_ttl(7).ipv4_multicast_ttl # => 7
Socket::Option.int(:INET, :IP, :TTL, 3).linger # raises TypeError: linger socket option expected
Socket::Option.new(:INET, :SOCKET, :KEEPALIVE, "abc") # => #<Socket::Option: INET SOCKET KEEPALIVE "abc">
Socket::Option.new(:INET2, :SOCKET, :KEEPALIVE, "abc") # raises SocketError: unknown socket domain: INET2
Socket::Option.new(:INET, :SOCKET, :CATS, "abc") # raises SocketError: unknown socket level option name: CATS
Socket::Option.new(:INET, :SOCKET, :KEEPALIVE, nil) # raises TypeError: no implicit conversion of nil into String
Socket::Option.byte(:INET, :SOCKET, :KEEPALIVE, 7).byte # => 7
Socket::Option.new(:UNIX, 77, 5, "ab") # => #<Socket::Option: UNIX level:77 optname:5 "ab">
Socket::AncillaryData.int(:INET, :IP, :TTL, 3) # => #<Socket::AncillaryData: INET IP TTL "\x03\x00\x00\x00">
Socket::AncillaryData.new(:UNIX, :SOCKET, :RIGHTS, "").cmsg_is?(:SOCKET, :RIGHTS) # => true
Socket::AncillaryData.new(:UNIX, :SOCKET, :RIGHTS, "").unix_rights # => nil
Socket::AncillaryData.new(:INET, :IP, :TTL, "").unix_rights # raises TypeError: SCM_RIGHTS ancillary data expected
Socket::AncillaryData.unix_rights(1) # raises TypeError: IO expected
Socket::AncillaryData.unix_rights(STDOUT, STDERR) # => #<Socket::AncillaryData: UNIX SOCKET RIGHTS 1 2>
Socket::AncillaryData.ip_pktinfo(Addrinfo.ip("127.0.0.1"), 0, Addrinfo.ip("127.0.0.2")).ip_pktinfo # => [#<Addrinfo: 127.0.0.1>, 0, #<Addrinfo: 127.0.0.2>]
Socket::AncillaryData.ipv6_pktinfo(Addrinfo.ip("::1"), 0).ipv6_pktinfo_addr # => #<Addrinfo: ::1>
Socket::AncillaryData.ipv6_pktinfo(Addrinfo.ip("127.0.0.1"), 0) # raises ArgumentError: addr size different to AF_INET6 sockaddr
Socket.new(:FOO, :STREAM) # raises SocketError: unknown socket domain: FOO
Socket.new(:INET, :FOO) # raises SocketError: unknown socket type: FOO
Socket.new(:INET, :DGRAM, 6) # raises Errno::EPROTONOSUPPORT: Protocol not supported - socket(2)
client.shutdown(7) # raises ArgumentError: `how' should be either :SHUT_RD, :SHUT_WR, :SHUT_RDWR
client.shutdown(:FOO) # raises SocketError: unknown shutdown argument: FOO
client.shutdown(:WR) # => 0
client.close
server.close
