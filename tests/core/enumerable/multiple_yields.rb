class Pairs
  include Enumerable
  def each
    yield 1, 2
    yield 3, 4
    yield
    yield [5, 6]
  end
end
e = Pairs.new
  e.to_a # => [[1, 2], [3, 4], nil, [5, 6]]
  e.map { |x| x } # => [1, 3, nil, [5, 6]]
  e.map { |x, y| [x, y] } # => [[1, 2], [3, 4], [nil, nil], [5, 6]]
  e.each_with_index.to_a # => [[[1, 2], 0], [[3, 4], 1], [nil, 2], [[5, 6], 3]]
  e.first # => [1, 2]
  e.select { |x| x } # => [[1, 2], [3, 4], [5, 6]]
  e.each_slice(2).to_a # => [[[1, 2], [3, 4]], [nil, [5, 6]]]
  e.each_with_object([]).map { |x, acc| x } # => [[1, 2], [3, 4], nil, [5, 6]]
  e.include?([1, 2]) # => true
  e.count([3, 4]) # => 1
  e.group_by { |x| x.class } # => {Array => [[1, 2], [3, 4], [5, 6]], NilClass => [nil]}
  e.inject { |a, b| [a, b] } # => [[[[1, 2], [3, 4]], nil], [5, 6]]
  e.each_entry.to_a # => [[1, 2], [3, 4], nil, [5, 6]]
  e.to_set.size # => 4
  e.sort_by { |x| x.to_s } # => [nil, [1, 2], [3, 4], [5, 6]]
  e.find { |x| x.nil? } # => nil
  e.zip([1]) # => [[[1, 2], 1], [[3, 4], nil], [nil, nil], [[5, 6], nil]]
  e.reverse_each.first # => [5, 6]
