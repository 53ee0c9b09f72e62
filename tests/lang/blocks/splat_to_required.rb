# yield of a splat to a block with required parameters: missing ones are nil, a lone Array is spread, surplus is dropped

def give(list) = yield(*list)
def give_more(list, other) = yield(*list, *other)
def give_hash(list, **named) = yield(*list, **named)

give([1, 2]) { |a, b| [a, b] } # => [1, 2]
give([1]) { |a, b| [a, b] } # => [1, nil]
give([]) { |a, b| [a, b] } # => [nil, nil]
give([1, 2, 3]) { |a, b| [a, b] } # => [1, 2]
give([[1, 2]]) { |a, b| [a, b] } # => [1, 2]
give([[1, 2]]) { |a| a } # => [1, 2]
give([[1, 2]]) { |a,| a } # => 1
give([[1, 2], 3]) { |a,| a } # => [1, 2]
give([[1, 2], 3]) { |a, b| [a, b] } # => [[1, 2], 3]
give([]) { |a| a } # => nil
give([1, 2]) { 7 } # => 7
give([1, 2]) { |a, b, c, d| [a, b, c, d] } # => [1, 2, nil, nil]
give(nil) { |a| a } # => nil
give(1..3) { |a, b| [a, b] } # => [1, 2]
give_more([1], [2, 3]) { |a, b, c| [a, b, c] } # => [1, 2, 3]
give_hash([1], k: 2) { |a, b| [a, b] } # => [1, {k: 2}]
give_hash([[1, 2]]) { |a, b| [a, b] } # => [1, 2]
give([1, 2], &->(a, b) { [a, b] }) # => [1, 2]
give([1], &->(a, b) { [a, b] }) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
give([1, 2], &proc { |a, b| [b, a] }) # => [2, 1]
give([1, 2]) { |a, b| x = 5; [a, b, x].tap { |list| list << a } } # => [1, 2, 5, 1]

class Spread
  def to_ary = [8, 9]
end

give([Spread.new]) { |a, b| [a, b] } # => [8, 9]
[3, 4].each_with_index.map { |item, i| item * i } # => [0, 4]
[3, 4].each_with_index.map { |item| item } # => [3, 4]
[3, 4].each_with_index.select { |item, i| i == 1 } # => [[4, 1]]
{ a: 1 }.each.with_index.map { |(name, value), i| [name, value, i] } # => [[:a, 1, 0]]

class Several
  include Enumerable

  def each
    yield
    yield 1
    yield 1, 2
    yield [3, 4]
  end
end

Several.new.map { |a, b| [a, b] } # => [[nil, nil], [1, nil], [1, 2], [3, 4]]
Several.new.map { |*a| a } # => [[], [1], [1, 2], [[3, 4]]]
Several.new.select { |a, b| b } # => [[1, 2], [3, 4]]
Several.new.to_a # => [nil, 1, [1, 2], [3, 4]]
