# `send_io` takes an IO or a number, and converts nothing.
require "socket"
require "tempfile"

a, b = UNIXSocket.pair
stand_in = Object.new
def stand_in.to_io = $stdout
a.send_io(stand_in) # raises TypeError: neither IO nor file descriptor
a.send_io(Tempfile.new) # raises TypeError: neither IO nor file descriptor
a.send_io($stdout)
b.recv_io.fileno > 2 # => true

Addrinfo.unix("\0abs").inspect_sockaddr # => "UNIX:00:61:62:73"
Addrinfo.new("\0\0").inspect # => "#<Addrinfo: UNSPEC>"
