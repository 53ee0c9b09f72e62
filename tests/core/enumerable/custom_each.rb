class Numbers
  include Enumerable
  def initialize(*list) = @list = list
  def each
    @list.each { |x| yield x }
    self
  end
end
n = Numbers.new(3, 1, 2)
n.sort # => [1, 2, 3]
n.map { |x| x * 2 } # => [6, 2, 4]
n.to_a # => [3, 1, 2]
n.entries # => [3, 1, 2]
n.include?(2) # => true
n.first # => 3
n.first(2) # => [3, 1]
n.min # => 1
n.max # => 3
n.minmax # => [1, 3]
n.sum # => 6
n.inject(:+) # => 6
n.reduce(1) { |a, b| a * b } # => 6
n.each_with_index.to_a # => [[3, 0], [1, 1], [2, 2]]
n.each_slice(2).to_a # => [[3, 1], [2]]
n.each_cons(2).to_a # => [[3, 1], [1, 2]]
n.each_entry.to_a # => [3, 1, 2]
n.group_by(&:odd?) # => {true => [3, 1], false => [2]}
n.partition { |x| x > 1 } # => [[3, 2], [1]]
n.sort_by { |x| -x } # => [3, 2, 1]
n.min_by { |x| (x - 2).abs } # => 2
n.zip(n) # => [[3, 3], [1, 1], [2, 2]]
n.take_while { |x| x > 2 } # => [3]
n.reject(&:odd?) # => [2]
n.find_index(2) # => 2
n.each_with_object([]) { |x, a| a << x } # => [3, 1, 2]
n.tally # => {3 => 1, 1 => 1, 2 => 1}
n.to_set.size # => 3
n.lazy.map { |x| x + 1 }.to_a # => [4, 2, 3]
n.chunk_while { |a, b| a > b }.to_a # => [[3, 1], [2]]
n.reverse_each.to_a # => [2, 1, 3]
n.count # => 3
n.uniq # => [3, 1, 2]
n.cycle.first(4) # => [3, 1, 2, 3]
n.to_h { |x| [x, x] } # => {3 => 3, 1 => 1, 2 => 2}
n.filter_map { |x| x if x > 1 } # => [3, 2]
n.each_with_index.map { |x, i| x * i } # => [0, 1, 4]
n.none? # => false
n.inject { |a, b| [a, b] } # => [[3, 1], 2]
n.zip([1, 2, 3]).flatten # => [3, 1, 1, 2, 2, 3]
n.flat_map { |x| [x] * x } # => [3, 3, 3, 1, 2, 2]
n.sum(0.0) # => 6.0
n.drop(1) # => [1, 2]
n.compact # => [3, 1, 2]
