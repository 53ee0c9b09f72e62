[1, [2, [3, [4]]]].flatten # => [1, 2, 3, 4]
[1, [2, [3]]].flatten(1) # => [1, 2, [3]]
[1].flatten! # => nil
[[1, 2], [3, 4]].transpose # => [[1, 3], [2, 4]]
[[1], [2, 3]].transpose # raises IndexError: element size differs (2 should be 1)
[1].transpose # raises TypeError: no implicit conversion of Integer into Array
[1, 2].zip([3, 4], [5]) # => [[1, 3, 5], [2, 4, nil]]
[1].zip(1..3) # => [[1, 1]]
[1, 2].product([3, 4]) # => [[1, 3], [1, 4], [2, 3], [2, 4]]
[1, 2].product # => [[1], [2]]
