# Which blocks take the elements of a lone Array.
def lone = yield([1, 2])
lone { |a, b| [a, b] } # => [1, 2]
lone { |a| a } # => [1, 2]
lone { |a,| a } # => 1
lone { |a, *b| [a, b] } # => [1, [2]]
lone { |*a, b| [a, b] } # => [[1], 2]
lone { |*a| a } # => [[1, 2]]
lone { |a, b = 5| [a, b] } # => [1, 2]
lone { |a = 5, b = 6| [a, b] } # => [1, 2]
# A single optional parameter takes it whole, also before a rest.
lone { |a = 5| a } # => [1, 2]
lone { |a = 5, *b| [a, b] } # => [[1, 2], []]
lone { |a = 5, *b, k: 1| [a, b, k] } # => [[1, 2], [], 1]
lone { |a = 5, *b, c| [a, b, c] } # => [1, [], 2]
lone { |a, k: 1| [a, k] } # => [[1, 2], 1]
lone { |a, *b, k: 1| [a, b, k] } # => [1, [2], 1]
proc { |a = 5, *b| [a, b] }.call([1, 2]) # => [[1, 2], []]
[[1, 2]].map { |a = 5, *b| [a, b] } # => [[[1, 2], []]]
