[3, 1, 2].sort # => [1, 2, 3]
[3, 1, 2].sort { |a, b| b <=> a } # => [3, 2, 1]
%w[bb a ccc].sort_by(&:size) # => ["a", "bb", "ccc"]
[[2, :b], [1, :z], [2, :a]].sort # => [[1, :z], [2, :a], [2, :b]]
[0.1, -1, 2r].sort # => [-1, 0.1, (2/1)]
[3, 1].sort! # => [1, 3]
%w[b A c].sort_by(&:downcase) # => ["A", "b", "c"]
[1, 2, 3].sort_by { |x| -x } # => [3, 2, 1]
["b", "a"].max # => "b"
[1, "a"].sort # raises ArgumentError: comparison of Integer with String failed
[1, nil].sort # raises ArgumentError: comparison of Integer with nil failed
[3, 1].sort { nil } # raises ArgumentError: comparison of Integer with 1 failed
[Object.new, 1].sort # raises ArgumentError: comparison of Object with 1 failed
[1, 2, 3, 4, 5].min_by { |x| (x - 3).abs } # => 3
[5, 1, 4].minmax # => [1, 5]
[3, 1, 2].max(2) # => [3, 2]
[3, 1, 2].min { |a, b| b <=> a } # => 3
[].max # => nil
(1..50).to_a.shuffle(random: Random.new(1)).sort == (1..50).to_a # => true
