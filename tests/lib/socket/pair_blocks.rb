# The block of a pair is given one array of both sockets.
require "socket"
UNIXSocket.pair { |both| both.map(&:class) } # => [UNIXSocket, UNIXSocket]
UNIXSocket.socketpair { |*all| all.size } # => 1
Socket.pair(:UNIX, :STREAM) { |both| both.map(&:class) } # => [Socket, Socket]
UNIXSocket.pair { |a, b| a.write("x"); a.close; b.read } # => "x"
UNIXSocket.pair(&->(both) { both.size }) # => 2
