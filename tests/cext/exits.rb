# What C code does to the last exception, and ways out of it.
require_relative "fixtures/build"
load_c("exits")
def cause_of
  yield
rescue => error
  [error.message, error.cause&.message]
end

Exits.clear # => [nil, nil]
begin
  raise "in Ruby"
rescue
  cleared = Exits.clear.map { it&.message }
  kept = $!.message
  causes = [cause_of { Exits.clear_and_raise }, cause_of { Exits.stop_clear_raise }, cause_of { Exits.stop_raise }]
  rescued = Exits.rescue.map { it.respond_to?(:message) ? it.message : it }
end
cleared # => [nil, "in Ruby"]
kept # => "in Ruby"
causes # => [["from C", "in Ruby"], ["after state 6", "in Ruby"], ["after state 6", "in Ruby"]]
rescued # => [false, nil, "in Ruby"]
$! # => nil
cause_of { Exits.clear_and_raise } # => ["from C", nil]
cause_of { Exits.stop_clear_raise } # => ["after state 6", nil]
cause_of { Exits.stop_raise } # => ["after state 6", "stopped"]
Exits.rescue # => [true, nil, nil]

down = ->(n) { Exits.deep(n, &down) }
down.(50) # raises ArgumentError: at the bottom
again = ->(n) { n == 0 ? :bottom : Exits.deep(n, &again) }
again.(50) # => :bottom
catch(:out) { Exits.deep(3) { Exits.deep(2) { throw :out, :thrown } } } # => :thrown
[1].each { Exits.deep(3) { break } } # => [1]
(Exits.deep(3) { break :broken }) # => :broken
def returning = Exits.deep(3) { Exits.deep(2) { return :returned } }
returning # => :returned
