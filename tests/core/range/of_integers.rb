# Ranges of integers and what their methods fall back to.

[(1..10).size, (1...10).size, (5..1).size, (1..).size, (1..4.5).size, (3..3).size, (3...3).size] # => [10, 9, 0, Infinity, 4, 1, 0]
("a".."c").size # => nil
(0.5..3).size # raises TypeError: can't iterate from Float
[(1..10).max, (1...10).max, (5..1).max, (1...1).max, (1..2.5).max, ("a".."c").max] # => [10, 9, nil, nil, 2.5, "c"]
[(1..10).max(2), (1..10).max { |a, b| b <=> a }, (1...4).minmax, (4..1).minmax, (1..3).minmax { |a, b| b <=> a }] # => [[10, 9], 1, [1, 3], [nil, nil], [3, 1]]
(1..).max # raises RangeError: cannot get the maximum of endless range
(..1).minmax # raises RangeError: cannot get the minimum of beginless range
(1...2.5).max # raises TypeError: cannot exclude non Integer end value
[(1..10).first, (1..10).last, (1...10).last, (1..10).first(2), (1...10).last(2), (1..).first, (..5).last] # => [1, 10, 10, [1, 2], [8, 9], 1, 5]
(..5).first # raises RangeError: cannot get the first element of beginless range
(1..).last # raises RangeError: cannot get the last element of endless range
(1..5).first(-1) # raises ArgumentError: negative array size (or size too big)
[(1..10).include?(10), (1...10).include?(10), (1..10).include?(2.5), (1..10).member?(0), (1..10).include?("a"), ("a".."z").include?("bb")] # => [true, false, true, false, false, false]
[(1..).include?(5), (..5).include?(6), (1..nil).member?(0)] # => [true, false, false]
[(1..10).sum, (1...10).sum, (5..1).sum, (1..10).sum(0.5), (1..10).sum(5), (1..3).sum { it * 2 }, (2**61..2**61 + 2).sum] # => [55, 45, 0, 55.5, 60, 12, 6917529027641081859]
[(1..3).sum("".to_i), ("a".."c").sum(""), (-(2**61)..2**61).sum] # => [6, "abc", 0]
[(1..3).inject(:+), (1..4).reduce(2) { |a, b| a * b }] # => [6, 48]

class Steps < Range
  def cover?(x) = :covered
  def min = :least
  def each = yield(7)
end
steps = Steps.new(1, 3)
[steps.size, steps.minmax, steps.include?(9)] # => [3, [:least, 3], false]

class Integer
  alias old_order <=>
  def <=>(other) = -old_order(other)
end
[(1..3).max, (3..1).max] # => [nil, 1]
