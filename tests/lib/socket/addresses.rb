require "socket"
Addrinfo.tcp("127.0.0.1", 80) # => #<Addrinfo: 127.0.0.1:80 TCP>
Addrinfo.udp("::1", 53) # => #<Addrinfo: [::1]:53 UDP>
Addrinfo.ip("192.168.0.1").ipv4_private? # => true
Addrinfo.unix("/tmp/a") # => #<Addrinfo: /tmp/a SOCK_STREAM>
Addrinfo.unix("a", :DGRAM) # => #<Addrinfo: UNIX a SOCK_DGRAM>
Addrinfo.new(Socket.sockaddr_in(80, "127.0.0.1"), Socket::PF_INET6) # => #<Addrinfo: 127.0.0.1:80 PF_INET6>
Addrinfo.new(Socket.sockaddr_in(80, "127.0.0.1"), nil, :STREAM) # => #<Addrinfo: 127.0.0.1:80 SOCK_STREAM>
Addrinfo.new(["AF_INET", 80, "localhost", "127.0.0.1"]) # => #<Addrinfo: 127.0.0.1:80 (localhost)>
Addrinfo.new("abc") # => #<Addrinfo: unknown address family 25185>
Addrinfo.new("\x02\x00abc") # => #<Addrinfo: 99.?.?.?:24930 (5 bytes for 16 bytes sockaddr_in)>
Addrinfo.new("") # => #<Addrinfo: empty-sockaddr>
Addrinfo.new("x") # => #<Addrinfo: too-short-sockaddr>
info = Addrinfo.tcp("10.1.2.3", 8080)
[info.ip_address, info.ip_port, info.afamily == Socket::AF_INET, info.socktype == Socket::SOCK_STREAM, info.protocol] # => ["10.1.2.3", 8080, true, true, 6]
info.ip_unpack # => ["10.1.2.3", 8080]
info.unix? # => false
info.unix_path # raises SocketError: need AF_UNIX address
Addrinfo.unix("/x").ip_port # raises SocketError: need IPv4 or IPv6 address
Addrinfo.ip("::ffff:1.2.3.4").ipv6_to_ipv4 # => #<Addrinfo: 1.2.3.4>
Addrinfo.ip("::1.2.3.4").ipv6_v4compat? # => true
Addrinfo.ip("::1").ipv6_v4compat? # => false
Addrinfo.ip("fe80::1").ipv6_linklocal? # => true
Addrinfo.ip("ff02::1").ipv6_mc_linklocal? # => true
Addrinfo.ip("fc00::1").ipv6_unique_local? # => true
Addrinfo.ip("224.0.0.1").ipv4_multicast? # => true
Addrinfo.tcp("127.0.0.1", 80).marshal_dump # => ["AF_INET", ["127.0.0.1", "80"], "PF_INET", "SOCK_STREAM", "IPPROTO_TCP", nil, nil]
Marshal.load(Marshal.dump(Addrinfo.unix("/x"))) # => #<Addrinfo: /x SOCK_STREAM>
Socket.unpack_sockaddr_in(Socket.sockaddr_in(8080, "127.0.0.1")) # => [8080, "127.0.0.1"]
Socket.unpack_sockaddr_in(Socket.sockaddr_in("25", "::1")) # => [25, "::1"]
Socket.unpack_sockaddr_in(Socket.sockaddr_in(1, "")) # => [1, "0.0.0.0"]
Socket.unpack_sockaddr_in(Socket.sockaddr_in(1, "<broadcast>")) # => [1, "255.255.255.255"]
Socket.unpack_sockaddr_un(Socket.sockaddr_un("/tmp/x")) # => "/tmp/x"
Socket.unpack_sockaddr_in("") # raises ArgumentError: too short sockaddr
Socket.unpack_sockaddr_in(Socket.sockaddr_un("a")) # raises ArgumentError: not an AF_INET/AF_INET6 sockaddr
Socket.unpack_sockaddr_un(Socket.sockaddr_in(1, "127.0.0.1")) # raises ArgumentError: not an AF_UNIX sockaddr
Socket.sockaddr_un("x" * 200) # raises ArgumentError: too long unix socket path (200 bytes given but 108 bytes max)
Socket.getaddrinfo("127.0.0.1", 80) # => [["AF_INET", 80, "127.0.0.1", "127.0.0.1", 2, 1, 6], ["AF_INET", 80, "127.0.0.1", "127.0.0.1", 2, 2, 17], ["AF_INET", 80, "127.0.0.1", "127.0.0.1", 2, 3, 0]]
Socket.getaddrinfo("127.0.0.1", 80, nil, :STREAM) # => [["AF_INET", 80, "127.0.0.1", "127.0.0.1", 2, 1, 6]]
Socket.getaddrinfo("::1", 80, :INET6, :DGRAM) # => [["AF_INET6", 80, "::1", "::1", 10, 2, 17]]
Socket.getservbyname("nosuch") # raises SocketError: no such service nosuch/tcp
Socket.getservbyport(1, "xxx") # raises SocketError: no such service for port 1/xxx
Addrinfo.tcp("127.0.0.1", 80).family_addrinfo("127.0.0.2", 81) # => #<Addrinfo: 127.0.0.2:81 TCP>
Addrinfo.tcp("127.0.0.1", 80).family_addrinfo # raises ArgumentError: no address specified
Addrinfo.tcp("127.0.0.1", 80).family_addrinfo(Addrinfo.udp("127.0.0.1", 1)) # raises ArgumentError: Addrinfo type mismatch
Addrinfo.allocate.ip? # raises TypeError: uninitialized socket address
IPSocket.getaddress("127.0.0.1") # => "127.0.0.1"
Addrinfo.tcp("127.0.0.1\0x", 1) # raises ArgumentError: string contains null byte
Addrinfo.tcp("a" * 2000, 1) # raises ArgumentError: hostname too long (2000)
