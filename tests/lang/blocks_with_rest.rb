# Blocks that take a rest, given few and many arguments, lists and lists that are spread.
def none = yield
def one(x) = yield(x)
def two(x, y) = yield(x, y)
def many(*list) = yield(*list)
def ways(&block)
  [none(&block), one(1, &block), one([1, 2], &block), two(1, [2], &block), many(&block), many([1, 2], &block),
   many(1, 2, 3, &block)]
end

ways { |*a| a } # => [[], [1], [[1, 2]], [1, [2]], [], [[1, 2]], [1, 2, 3]]
ways { |a, *b| [a, b] } # => [[nil, []], [1, []], [1, [2]], [1, [[2]]], [nil, []], [1, [2]], [1, [2, 3]]]
ways { |a, b = 5, *c| [a, b, c] } # => [[nil, 5, []], [1, 5, []], [1, 2, []], [1, [2], []], [nil, 5, []], [1, 2, []], [1, 2, [3]]]
ways { |a = 7, *c| [a, c] } # => [[7, []], [1, []], [[1, 2], []], [1, [[2]]], [7, []], [[1, 2], []], [1, [2, 3]]]
ways { |a = 7| a } # => [7, 1, [1, 2], 1, 7, [1, 2], 1]
ways { |a, b = 3| [a, b] } # => [[nil, 3], [1, 3], [1, 2], [1, [2]], [nil, 3], [1, 2], [1, 2]]
ways { |*a, b| [a, b] } # => [[[], nil], [[], 1], [[1], 2], [[1], [2]], [[], nil], [[1], 2], [[1, 2], 3]]
ways { |a, *| a } # => [nil, 1, 1, 1, nil, 1, 1]
ways { |a,| a } # => [nil, 1, 1, 1, nil, 1, 1]
ways { |*a, k: 4| [a, k] } # => [[[], 4], [[1], 4], [[[1, 2]], 4], [[1, [2]], 4], [[], 4], [[[1, 2]], 4], [[1, 2, 3], 4]]
ways { |*a, **k| [a, k] } # => [[[], {}], [[1], {}], [[[1, 2]], {}], [[1, [2]], {}], [[], {}], [[[1, 2]], {}], [[1, 2, 3], {}]]
ways { |*a, &b| [a, b] } # => [[[], nil], [[1], nil], [[[1, 2]], nil], [[1, [2]], nil], [[], nil], [[[1, 2]], nil], [[1, 2, 3], nil]]
many({ k: 1 }) { |*a, k: 4| [a, k] } # => [[{k: 1}], 4]
many(1, { k: 1 }) { |*a| a } # => [1, {k: 1}]
(one(1) { |*a, k:| [a, k] } rescue $!.message) # => "missing keyword: :k"

# Lists are not shared with what the block changes.
list = [1, 2, 3]
many(*list) { |*a| a << 4 } # => [1, 2, 3, 4]
proc { |*a| a << 4 }.call(*list) # => [1, 2, 3, 4]
list # => [1, 2, 3]
long = (1..100).to_a
proc { |*a| a << 4 }.call(*long).size # => 101
proc { |a, *b| b << a }.call(*long).last # => 1
long.size # => 100
ruby2 = Class.new { ruby2_keywords def pass(*a) = proc { |*x, k: 0| [x, k] }.call(*a) }.new
ruby2.pass(1, k: 2) # => [[1], 2]
proc { |*a| a }.call(*[1], **{}) # => [1]
proc { |a, *b| [a, b] }.call(*[[1, 2]]) # => [1, [2]]
proc { |a, *b| [a, b] }.call(*[[1, 2]], **{}) # => [[1, 2], []]
lambda { |*a| a }.call(*[[1, 2]]) # => [[1, 2]]
(lambda { |a, b, *c| a }.call(*[[1, 2]]) rescue $!.message) # => "wrong number of arguments (given 1, expected 2+)"
