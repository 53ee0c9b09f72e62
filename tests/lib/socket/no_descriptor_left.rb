# Names are asked for without a free descriptor: what needs none is answered, the rest is the error of the question.
# Which error of the system that is, its resolvers decide.
require "socket"
def answer
  yield.class
rescue SystemCallError, SocketError => error
  error.is_a?(SystemCallError) ? error.message[/ - \w+/] : "#{error.class}: #{error.message[/\A[^:]+/]}"
end
Addrinfo.getaddrinfo("localhost", 80) # Libraries are loaded here.
soft, hard = Process.getrlimit(:NOFILE)
Process.setrlimit(:NOFILE, Dir.children("/proc/self/fd").size + 5, hard)
held = []
begin
  loop { held << File.open(IO::NULL) }
rescue Errno::EMFILE
  held.size > 0 # => true
end
answer { Addrinfo.getaddrinfo("name.invalid", 80) } # => " - getaddrinfo"
answer { IPSocket.getaddress("name.invalid") } # => " - getaddrinfo"
answer { Addrinfo.tcp("name.invalid", 1) } # => " - getaddrinfo"
answer { TCPServer.new("name.invalid", 0) } # => " - getaddrinfo"
answer { Addrinfo.getaddrinfo("127.0.0.1", 80) } # => Array
answer { Socket.getaddrinfo("127.0.0.1", 1) } # => Array
held.each(&:close)
Process.setrlimit(:NOFILE, soft, hard)
