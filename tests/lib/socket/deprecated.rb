# Resolving by the C library's old functions warns
require "socket"
require "stringio"
$stderr = StringIO.new
Socket.gethostbyaddr([127, 0, 0, 1].pack("C4"))[2..] # => [2, "\x7F\x00\x00\x01"]
Socket.gethostbyname("127.0.0.1")[2..] # => [2, "\x7F\x00\x00\x01"]
TCPSocket.gethostbyname("127.0.0.1")[2..] # => [2, "127.0.0.1"]
(Socket.gethostbyaddr([0, 0, 0, 0, 0, 0, 0, 1].pack("n8"))[2] rescue Socket::AF_INET6) # => 10
$stderr.string.scan(/warning: (.*?) is/).flatten # => ["Socket.gethostbyaddr", "Socket.gethostbyname", "TCPSocket.gethostbyname", "Socket.gethostbyaddr"]
