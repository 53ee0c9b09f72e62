[1, 2, 3].combination(2).to_a # => [[1, 2], [1, 3], [2, 3]]
[1, 2, 3].permutation(2).to_a # => [[1, 2], [1, 3], [2, 1], [2, 3], [3, 1], [3, 2]]
[1, 2].repeated_combination(2).to_a # => [[1, 1], [1, 2], [2, 2]]
[1, 2].repeated_permutation(2).count # => 4
[1, 2, 3].combination(4).to_a # => []
[1, 2, 3].combination(0).to_a # => [[]]
[1, 2, 3].permutation.size # => 6
(1..20).to_a.combination(10).size # => 184756
