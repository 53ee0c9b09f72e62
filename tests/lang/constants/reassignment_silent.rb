# A constant that is assigned anew says nothing while $VERBOSE is nil, neither itself nor of where it was.
require "stringio"
def told
  before, $stderr, verbose = $stderr, StringIO.new, $VERBOSE
  yield
  $stderr.string.lines.size
ensure
  $stderr, $VERBOSE = before, verbose
end
module Room; end
Room.const_set(:A, 1)
told { $VERBOSE = nil; Room.const_set(:A, 2) } # => 0
told { $VERBOSE = false; Room.const_set(:A, 3) } # => 2
Room::A # => 3
