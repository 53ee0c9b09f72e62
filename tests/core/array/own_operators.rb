# Searching, counting and ordering ask the operators that a program defines.

numbers = [3, 1, 2]
[numbers.include?(1), numbers.index(2), numbers.count(3), numbers.max, numbers.sum, numbers.inject(:+)] # => [true, 2, 1, 3, 6, 6]
[[1, 2.0].include?(2), [2.0, 1].index(1.0), [2**70].include?(2**70), [0.0].include?(-0.0)] # => [true, 1, true, true]
[numbers.any?, [].any?, [nil].any?, numbers.all?, [nil].none?, [1, nil].one?] # => [true, false, false, true, true, true]
[numbers.any?(nil), numbers.any?(Integer), [nil].any?(nil), numbers.none?(9), numbers.one?(1)] # => [false, true, true, true, true]
numbers.any?(1, 2) # raises ArgumentError: wrong number of arguments (given 2, expected 0..1)
numbers.inject # raises ArgumentError: wrong number of arguments (given 0, expected 1..2)
numbers.inject(5) # raises TypeError: 5 is not a symbol nor a string
[numbers.inject(10, :*), numbers.inject("*"), numbers.inject(1) { |a, b| a - b }, [].inject(:+), [7].inject(:foo)] # => [60, 6, -5, nil, 7]
[numbers.fetch(1), numbers.fetch(-1), numbers.fetch(9, :none), numbers.fetch(9) { it + 1 }] # => [1, 2, :none, 10]
numbers.fetch(9) # raises IndexError: index 9 outside of array bounds: -3...3
[[1 << 61, 1 << 61, 1].sum, [1, 2.5, 3r].sum, ["a", "b"].sum("")] # => [4611686018427387905, 6.5, "ab"]

class Own
  def initialize(list) = @list = list
  def size = :own
  def first = :first
  def empty? = :never
end
class Short < Array
  def size = :short
  def first = :first
end
def ask(object) = [object.size, object.first, object.empty?]
[[1], Own.new([]), Short.new, [2]].map { ask(it) } # => [[1, 1, false], [:own, :first, :never], [:short, :first, true], [1, 2, false]]

class Array
  alias old_size size
  def size = old_size + 100
end
ask([1]) # => [101, 1, false]

Pair = Struct.new(:left, :right) do
  def right = [self[1]]
end
def sides(pair) = [pair.left, pair.right]
[sides(Pair.new(1, 2)), sides(Pair.new(3, 4))] # => [[1, [2]], [3, [4]]]
class Pair
  def left = :changed
end
sides(Pair.new(1, 2)) # => [:changed, [2]]

class Integer
  alias old_order <=>
  def <=>(other) = -old_order(other)
end
[numbers.max, numbers.min, numbers.sort] # => [1, 3, [3, 2, 1]]

class Integer
  alias old_equal ==
  def ==(other) = old_equal(other) || (other.equal?(9) && self > 2)
end
[numbers.include?(9), numbers.index(9), numbers.count(9)] # => [true, 0, 1]

class Integer
  alias old_plus +
  def +(other) = old_plus(other).old_plus(1)
end
numbers.inject(:+) # => 8
