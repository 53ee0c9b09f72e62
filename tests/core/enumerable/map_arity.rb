# `map` gives a Hash's pairs to what takes two arguments as two, also when that is a method or a lambda; `each` of a
# program sees how many parameters the block has.
def pair(a, b) = [a, b]

h = { 1 => 2 }
h.map(&method(:pair)) # => [[1, 2]]
h.map(&->(k, v) { [k, v] }) # => [[1, 2]]
h.map(&->(k, v, *w) { [k, v, w] }) # => [[1, 2, []]]
h.each(&method(:pair)) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
h.flat_map(&method(:pair)) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
h.to_a.map(&method(:pair)) # raises ArgumentError: wrong number of arguments (given 1, expected 2)

class Two
  include Enumerable
  attr_reader :arity

  def each(&block)
    @arity = block.arity
    yield 1, 2
    yield [3, 4]
  end
end

two = Two.new
two.map { |a, b| [a, b] } # => [[1, 2], [3, 4]]
two.arity # => 2
two.map { |a| a } # => [1, [3, 4]]
two.arity # => 1
two.map { |a, b = 1| [a, b] } # => [[1, 2], [3, 4]]
two.map { |*a| a } # => [[1, 2], [[3, 4]]]
two.map { |a, *b| [a, b] } # => [[1, [2]], [3, [4]]]
two.map { |a,| a } # => [1, 3]
two.map(&:to_s) # => ["1", "[3, 4]"]
two.map(&->(a) { a }) # raises ArgumentError: wrong number of arguments (given 2, expected 1)
