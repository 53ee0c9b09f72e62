# `<<` of a frozen String or Array is refused by the operator itself: the method is no level of the backtrace.
def lines
  yield
rescue FrozenError => e
  [e.message, e.backtrace.first[/in '.*'/]]
end

lines { "a".freeze << "b" } # => ["can't modify frozen String: \"a\"", "in 'block in <main>'"]
lines { [1].freeze << 2 } # => ["can't modify frozen Array: [1]", "in 'block in <main>'"]
lines { "a".freeze.concat("b") } # => ["can't modify frozen String: \"a\"", "in 'String#concat'"]
"a".freeze << nil # raises TypeError: no implicit conversion of nil into String

class Array
  alias plain_append <<
  def <<(item) = frozen? ? :mine : plain_append(item)
end
[].freeze << 1 # => :mine
