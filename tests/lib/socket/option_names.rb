# Options by number and by name, for sockets of each family, also when reopen makes a socket one of another family
require "socket"
local, other = UNIXSocket.pair
server = TCPServer.new("127.0.0.1", 0)
tcp = TCPSocket.new("127.0.0.1", server.addr[1])
forms = ->(socket) {
  [[:SOCKET, :TYPE], ["SOL_SOCKET", "SO_TYPE"], ["SOCKET", :SO_TYPE], [1, 3], [:SOL_SOCKET, 3]].map {
    socket.getsockopt(*it).int
  }.uniq
}
forms.(local) # => [1]
forms.(tcp) # => [1]
local.getsockopt(:SOCKET, :TYPE).inspect # => "#<Socket::Option: UNIX SOCKET TYPE SOCK_STREAM>"
tcp.setsockopt(:TCP, :NODELAY, true) # => 0
tcp.getsockopt("IPPROTO_TCP", "TCP_NODELAY").bool # => true
tcp.setsockopt(6, 1, 0) # => 0
tcp.getsockopt(:TCP, :NODELAY).inspect # => "#<Socket::Option: INET TCP NODELAY 0>"
tcp.setsockopt(Socket::Option.bool(:INET, :SOCKET, :KEEPALIVE, true)) # => 0
tcp.getsockopt(:SOCKET, :KEEPALIVE).bool # => true
tcp.setsockopt(:SOCKET, :KEEPALIVE, [0].pack("i")) # => 0
tcp.getsockopt(:SOCKET, :KEEPALIVE).bool # => false
local.setsockopt(:TCP, :NODELAY, true) # raises SocketError: unknown protocol level: TCP
tcp.getsockopt(:TCP, :NONE) # raises SocketError: unknown TCP level option name: NONE
tcp.getsockopt(:TCP, "N" * 100) # raises SocketError
tcp.getsockopt("", 1) # raises SocketError: unknown protocol level: 
tcp.setsockopt(:SOCKET, :KEEPALIVE, nil) # raises TypeError: no implicit conversion of nil into String
tcp.setsockopt(:SOCKET, :KEEPALIVE, "") # raises Errno::EINVAL: Invalid argument - setsockopt(2)
tcp.setsockopt(:SOCKET, :KEEPALIVE, 2**40) # raises RangeError
closing = Object.new
closing.define_singleton_method(:to_str) { other.close; "\0" * 4 }
other.setsockopt(:SOCKET, :KEEPALIVE, closing) # raises IOError: closed stream

# The family is that of the socket which the descriptor is now.
local.reopen(tcp)
local.setsockopt(:TCP, :NODELAY, true) # => 0
local.getsockopt(:TCP, :NODELAY).family == Socket::AF_INET # => true
