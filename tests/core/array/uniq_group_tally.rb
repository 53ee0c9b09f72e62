[1, 1, 2, 1.0].uniq # => [1, 2, 1.0]
%w[a B b].uniq(&:downcase) # => ["a", "B"]
[1].uniq! # => nil
[1, 2, 3, 4].group_by(&:odd?) # => {true => [1, 3], false => [2, 4]}
%w[a b a].tally # => {"a" => 2, "b" => 1}
[1, 2, 4, 5, 7].chunk_while { |a, b| b == a + 1 }.to_a # => [[1, 2], [4, 5], [7]]
[1, 2, 4, 5].slice_when { |a, b| b > a + 1 }.to_a # => [[1, 2], [4, 5]]
[1, 1, 2].chunk { |x| x.odd? }.to_a # => [[true, [1, 1]], [false, [2]]]
[1, 2, 3, 4, 5].each_slice(2).to_a # => [[1, 2], [3, 4], [5]]
[1, 2, 3].each_cons(2).to_a # => [[1, 2], [2, 3]]
[[:a, 1]].to_h # => {a: 1}
[1, 2].to_h { |x| [x, x * 2] } # => {1 => 2, 2 => 4}
[1].to_h # raises TypeError: wrong element type Integer at 0 (expected array)
[[1]].to_h # raises ArgumentError: wrong array length at 0 (expected 2, was 1)
