# A library in Rust that an autoload asks for defines the very constant that waits for it.
autoload :Socket, "socket"
autoload :TCPServer, "socket"
TCPServer.superclass # => TCPSocket
Socket::AF_INET # => 2
Object.autoload?(:Socket) # => nil
