# What sockets and addresses say of themselves in odd cases
require "socket"
require "tmpdir"
Addrinfo.new(["AF_UNIX", "/x"], nil, :DGRAM).inspect # => "#<Addrinfo: /x SOCK_STREAM>"
Addrinfo.tcp("1.2.3.4", 65536).inspect # => "#<Addrinfo: 1.2.3.4 TCP (:65536)>"
Addrinfo.tcp("1.2.3.4", 80).inspect # => "#<Addrinfo: 1.2.3.4:80 TCP>"
Addrinfo.tcp("::1", 65537).inspect # => "#<Addrinfo: [::1]:1 TCP (:65537)>"
Socket::Option.new(:INET, :IP, :MULTICAST_TTL, "\1").inspect # => "#<Socket::Option: INET IP MULTICAST_TTL \"\\x01\">"
Socket::Option.ipv4_multicast_ttl(3).inspect # => "#<Socket::Option: INET IP MULTICAST_TTL 3>"
udp = UDPSocket.new
udp.shutdown # raises Errno::ENOTCONN: Transport endpoint is not connected - shutdown(2)
udp.close
Socket.pair # raises ArgumentError: wrong number of arguments (given 0, expected 2..3)
Socket.pair(:UNIX) # raises ArgumentError: wrong number of arguments (given 1, expected 2..3)
Socket.pair(nil, nil) # raises TypeError: no implicit conversion from nil to integer
Dir.mktmpdir do |dir|
  server = UNIXServer.new("#{dir}/s")
  client = UNIXSocket.new("#{dir}/s")
  puts client.path.inspect, client.inspect
  # prints: ""
  # prints: #<UNIXSocket:>
  [client, server].each(&:close)
end
a, b = UNIXSocket.pair
a.close_read
a.recv(1) # => nil
a.read # raises IOError: not opened for reading
[a, b].each(&:close)
