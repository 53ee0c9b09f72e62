# A program's constant that is no module is not written over.
class BasicSocket < IO; end
class Socket < BasicSocket; end
Socket::Constants = 1
require "socket" # raises TypeError
Socket::Constants # => 1
