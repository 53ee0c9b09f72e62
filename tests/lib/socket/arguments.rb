# Arguments of sockets that are too many, too few or unknown
require "socket"
TCPSocket.new("127.0.0.1", 1, foo: 1) # raises ArgumentError: unknown keyword: :foo
TCPSocket.new("127.0.0.1", 1, foo: 1, bar: 2) # raises ArgumentError: unknown keywords: :foo, :bar
TCPSocket.new("127.0.0.1", 1, nil, nil, connect_timeout: 3, foo: 1) # raises ArgumentError: unknown keyword: :foo
TCPSocket.new # raises ArgumentError: wrong number of arguments (given 0, expected 2..4)
Socket.new # raises ArgumentError: wrong number of arguments (given 0, expected 2..3)
Socket.new(:INET) # raises ArgumentError: wrong number of arguments (given 1, expected 2..3)
Socket.new(:INET, :STREAM, 0, 0) # raises ArgumentError: wrong number of arguments (given 4, expected 2..3)
Socket.new(:INET, nil) # raises TypeError: no implicit conversion from nil to integer
Socket.tcp("127.0.0.1", 1, foo: 1) # raises ArgumentError: unknown keyword: :foo
a, b = UNIXSocket.pair
a.recv(2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
a.recv(-1) # raises ArgumentError: negative string size (or size too big)
a.recv_nonblock(2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
a.recvmsg(-1) # raises ArgumentError: negative string size (or size too big)
a.recvmsg(2**60) # raises NoMemoryError: failed to allocate memory
a.recvmsg_nonblock(1, 0, 2**60) # raises NoMemoryError: failed to allocate memory
udp = UDPSocket.new
udp.recvfrom_nonblock(2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
udp.recvfrom(2**31) # raises RangeError: integer 2147483648 too big to convert to 'int'
[a, b, udp].each(&:close)
