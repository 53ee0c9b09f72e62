# `minmax` with a block compares the items in pairs.
asked = ->(items) do
  calls = []
  found = items.minmax { |a, b| calls << [a, b]; a <=> b }
  [found, calls]
end
asked[[]] # => [[nil, nil], []]
asked[[3]] # => [[3, 3], []]
asked[[3, 1]] # => [[1, 3], [[3, 1]]]
asked[[3, 1, 2]] # => [[1, 3], [[3, 1], [2, 1], [2, 3]]]
asked[[3, 1, 0, 9]] # => [[0, 9], [[3, 1], [0, 9], [0, 1], [9, 3]]]
asked[[2, 2, 5, 5, 1]] # => [[1, 5], [[2, 2], [5, 5], [5, 2], [5, 2], [1, 2], [1, 5]]]
asked[(1..3).each_entry] # => [[1, 3], [[1, 2], [3, 1], [3, 2]]]
asked[Set[4, 7]] # => [[4, 7], [[4, 7]]]
pairs = []
{ a: 1, b: 2 }.minmax { |x, y| pairs << [x, y]; x <=> y } # => [[:a, 1], [:b, 2]]
pairs # => [[[:a, 1], [:b, 2]]]
first, second = "one", "one".dup
[first, second].minmax { |a, b| a <=> b }.all? { |found| found.equal?(first) } # => true
[1, 2].minmax { nil } # raises ArgumentError: comparison of Integer with 2 failed
