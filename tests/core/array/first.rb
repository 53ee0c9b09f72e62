[1, 2, 3].first # => 1
[].first # => nil
[1, 2, 3].first(2) # => [1, 2]
[1].first(5) # => [1]
[1].first(0) # => []
[1].first(-1) # raises ArgumentError: negative array size
[1].first("a") # raises TypeError: no implicit conversion of String into Integer
