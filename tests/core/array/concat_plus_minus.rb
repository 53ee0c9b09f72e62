[1] + [2] # => [1, 2]
[1, 1, 2, 3] - [1, 3] # => [2]
[1, 2] * 2 # => [1, 2, 1, 2]
[1, 2] * "," # => "1,2"
[1, 2, 2] & [2, 2, 5] # => [2]
[1, 2] | [2, 3, 3] # => [1, 2, 3]
a = [1]
a.concat([2], [3, 4]) # => [1, 2, 3, 4]
a.concat(a) # => [1, 2, 3, 4, 1, 2, 3, 4]
[3, 1].union([1], [4]) # => [3, 1, 4]
[1, 2, 3].intersection([2, 3], [3]) # => [3]
[1, 2, 3].difference([1], [3]) # => [2]
[1, 2].intersect?([2]) # => true
[1] * -1 # raises ArgumentError: negative argument
[1] + 1 # raises TypeError: no implicit conversion of Integer into Array
[1] - nil # raises TypeError: no implicit conversion of nil into Array
