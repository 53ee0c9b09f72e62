# Several yielded values that come to a block as one come to a lambda as to any block.
class Pairs
  include Enumerable
  def each
    yield 1, 2
    yield 3, 4
  end
end
seen = []
Pairs.new.find { |x| seen << x; false }; seen # => [[1, 2], [3, 4]]
seen = []
Pairs.new.find(&->(a, b, c) { seen << [a, b, c]; false }); seen # => [[1, 2, nil], [3, 4, nil]]
seen = []
Pairs.new.select(&->(a, *b) { seen << [a, b] }); seen # => [[1, [2]], [3, [4]]]
seen = []
Pairs.new.group_by(&->(a, b = 9) { seen << [a, b] }); seen # => [[1, 2], [3, 4]]
seen = []
Pairs.new.cycle(2, &->(a, b) { seen << [a, b] }); seen # => [[1, 2], [3, 4], [1, 2], [3, 4]]
seen = []
Pairs.new.cycle(2) { |a| seen << a }; seen # => [[1, 2], [3, 4], [1, 2], [3, 4]]
seen = []
[5, 6].each_with_index.cycle(2, &->(x, i) { seen << [x, i] }); seen # => [[5, 0], [6, 1], [5, 0], [6, 1]]
# Where a method packs them for itself they are one Array.
Pairs.new.sum { |a| a.size } # => 4
Pairs.new.sum { |a, b| a * b } # => 14
Pairs.new.sum(&->(a, b) { a }) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
Pairs.new.each_slice(2, &->(a, b) { a }) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
Pairs.new.each_cons(2, &->(a, b) { a }) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
[[1, 2]].each_entry.find(&->(a, b) { a }) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
