# Memory that a conversion without end fills is a NoMemoryError, and no message of the runtime's own language.
# timeout: 240
require "rbconfig"

program = <<~'RUBY'
  class Endless
    def to_ary = [self]
  end
  begin
    [Endless.new].flatten
  rescue NoMemoryError, ArgumentError => error
    puts error.class
  end
RUBY
# Without the stress modes, in which it takes too long.
out = IO.popen([{ "RUBELLITE_STRESS" => nil }, RbConfig.ruby, "-e", program, rlimit_as: 400 << 20, err: [:child, :out]],
               &:read)
# Where not even an exception can be had any more the process ends with a line, as in CRuby.
["NoMemoryError\n", "[FATAL] failed to allocate memory\n"].include?(out) # => true

# Rows of zip are given one by one, of an array that changes.
list = (1..20).to_a
rows = []
list.zip((1..20).to_a) { |row| list.pop; rows << row }
[rows.size, list.size, rows.last] # => [10, 10, [10, 10]]
