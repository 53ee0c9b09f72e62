# Methods of Enumerable whose blocks take what `each` of a program yields, lowered into it.
# flags: --jit-threshold=3

class Pairs
  include Enumerable
  def initialize(*items) = @items = items
  def each
    i = 0
    while i < @items.size
      yield @items[i]
      i += 1
    end
    self
  end
end
class Several
  include Enumerable
  def each
    yield
    yield nil
    yield 1
    yield 1, 2
    yield [3, 4]
    yield []
    self
  end
end

numbers, lists, several = Pairs.new(3, 1, 2), Pairs.new([1, 2], [3, 4]), Several.new
8.times.map { [numbers.to_a, lists.to_a, several.to_a] }.uniq # => [[[3, 1, 2], [[1, 2], [3, 4]], [nil, nil, 1, [1, 2], [3, 4], []]]]
8.times.map { several.each_entry.to_a }.uniq # => [[nil, nil, 1, [1, 2], [3, 4], []]]
8.times.map { [numbers.inject(:+), numbers.sum, numbers.min, numbers.max, numbers.sort, numbers.count] }.uniq # => [[6, 6, 1, 3, [1, 2, 3], 3]]
8.times.map { lists.sum([]) { |x| x } }.uniq # => [[1, 2, 3, 4]]
8.times.map { lists.map { |a, b| [a, b] } }.uniq # => [[[1, 2], [3, 4]]]
8.times.map { lists.inject(0) { |sum, (a, b)| sum + a * b } }.uniq # => [14]
8.times.map { lists.each_with_index.map { |(a, b), i| a + b + i } }.uniq # => [[3, 8]]
8.times.map { several.each_with_index.to_a }.uniq # => [[[nil, 0], [nil, 1], [1, 2], [[1, 2], 3], [[3, 4], 4], [[], 5]]]
8.times.map { several.group_by { |x| x.class } }.uniq # => [{NilClass => [nil, nil], Integer => [1], Array => [[1, 2], [3, 4], []]}]
8.times.map { several.partition { |x| x } }.uniq # => [[[1, [1, 2], [3, 4], []], [nil, nil]]]
8.times.map { numbers.each_slice(2).to_a + numbers.each_cons(2).to_a }.uniq # => [[[3, 1], [2], [3, 1], [1, 2]]]
8.times.map { [numbers.include?(2), numbers.include?(5), numbers.find { |x| x < 3 }, numbers.first(2), numbers.first] }.uniq # => [[true, false, 1, [3, 1], 3]]
8.times.map { numbers.each_with_object([]) { |x, list| list << x } }.uniq # => [[3, 1, 2]]

# Lambdas count what they are given.
two = ->(a, b) { [a, b] }
8.times.map { lists.sum([], &two) rescue $!.message }.uniq # => ["wrong number of arguments (given 1, expected 2)"]
8.times.map { lists.group_by(&two) rescue $!.message }.uniq # => ["wrong number of arguments (given 1, expected 2)"]
8.times.map { lists.each_entry(&two) rescue $!.message }.uniq # => ["wrong number of arguments (given 1, expected 2)"]
8.times.map { lists.partition(&two) rescue $!.message }.uniq # => ["wrong number of arguments (given 1, expected 2)"]

# Leaving in the midst of it, and looking at frames.
8.times.map { numbers.each_entry { |x| break x * 10 if x == 1 } }.uniq # => [10]
def found(list) = list.each_entry { |x| return x if x.is_a?(Array) }
8.times.map { found(several) }.uniq # => [[1, 2]]
8.times.map { numbers.sort_by { |x| raise "no" if x == 2; x } rescue $!.message }.uniq # => ["no"]
8.times.map { numbers.group_by { |x| binding.local_variables.include?(:x) } }.uniq # => [{true => [3, 1, 2]}]
8.times.map { |i| numbers.min_by { |x| i > 5 ? x.to_s : x } }.uniq # => [1]
8.times.map { |i| numbers.sum { |x| i > 5 ? x.to_f : x } } # => [6, 6, 6, 6, 6, 6, 6.0, 6.0]
