# Libraries find the classes of the core also when the program has removed their constants or put something else in
# their place. Their own classes they look for by name.
def try(code) = IO.popen([RbConfig.ruby, "-e", code], err: %i[child out], &:read)
try('Object.send(:remove_const, :Comparable); require "date"; puts Date.new(2001, 2, 3)') # => "2001-02-03\n"
try('Object.send(:remove_const, :IO); IO = 5; require "socket"; puts BasicSocket.superclass') # => "IO\n"
try('require "socket"; Object.send(:remove_const, :Addrinfo); begin; TCPServer.new("127.0.0.1", 0).local_address; rescue NameError => e; puts e.message; end') # => "uninitialized constant Addrinfo\n"
try('require "socket"; Object.send(:remove_const, :Addrinfo); Addrinfo = 5; begin; TCPServer.new("127.0.0.1", 0).local_address; rescue TypeError => e; puts e.message; end') # => "Addrinfo is not a class\n"
