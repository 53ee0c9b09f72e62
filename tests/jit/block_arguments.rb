# Blocks that are given other numbers of arguments than they take.
def one(x) = yield(x)
def two(x, y) = yield(x, y)
def none = yield
class Pair
  def to_ary = [:a, :b]
end
30.times do |i|
  one(i) { }
  one([i, 2]) { |a, b| a }
  one([i, 2]) { |a,| a }
  two(i, 2) { |a| a }
  none { |a, b| a }
end
[one(1) { 5 }, one(1) { |a, b| [a, b] }, one([1]) { |a, b| [a, b] }, one([1, 2, 3]) { |a, b| [a, b] }, one(nil) { |a, b| [a, b] }] # => [5, [1, nil], [1, nil], [1, 2], [nil, nil]]
[one(Pair.new) { |a, b| [a, b] }, one([1, 2]) { |a,| a }, one(Pair.new) { |a,| a }, two(1, 2) { |a| a }, two(1, 2) { |a, b, c| [a, b, c] }] # => [[:a, :b], 1, :a, 1, [1, 2, nil]]
[none { |a, b| [a, b] }, two(1, 2) { :nothing }] # => [[nil, nil], :nothing]
def pairs(list)
  sum = 0
  list.each { |a, b| sum += a * (b || 1) }
  sum
end
30.times { pairs([[1, 2], [3, 4]]) }
[pairs([[1, 2], [3, 4, 5]]), pairs([[2], 3, [4, nil]]), pairs([])] # => [14, 9, 0]
pick = ->(a, b) { [a, b] }
def given(&block) = one([1, 2], &block)
30.times { given { |a, b| a } }
(given(&pick) rescue $!.message) # => "wrong number of arguments (given 1, expected 2)"
(two(1, 2, &->(a) { a }) rescue $!.message) # => "wrong number of arguments (given 2, expected 1)"
