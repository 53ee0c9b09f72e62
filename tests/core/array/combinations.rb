[1, 2, 3].combination(2).to_a # => [[1, 2], [1, 3], [2, 3]]
[1, 2, 3].permutation(2).to_a # => [[1, 2], [1, 3], [2, 1], [2, 3], [3, 1], [3, 2]]
[1, 2].repeated_combination(2).to_a # => [[1, 1], [1, 2], [2, 2]]
[1, 2].repeated_permutation(2).count # => 4
[1, 2, 3].combination(4).to_a # => []
[1, 2, 3].combination(0).to_a # => [[]]
[1, 2, 3].permutation.size # => 6
(1..20).to_a.combination(10).size # => 184756

# More elements than fit on the machine stack, and as many as just do.
long = (1..30).to_a
[24, 25, 29].map { |k| long.combination(k).first(2).last.last(3) } # => [[22, 23, 25], [23, 24, 26], [27, 28, 30]]
[24, 25, 30].map { |k| long.permutation(k).first(2).last.last(3) } # => [[22, 23, 25], [23, 24, 26], [28, 30, 29]]
long.repeated_combination(25).first(2).last.tally # => {1 => 24, 2 => 1}
changed = [1, 2, 3]
picked = []
changed.combination(2) { |pair| picked << pair; changed.clear }
picked # => [[1, 2], [1, 3], [2, 3]]
