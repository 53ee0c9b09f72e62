[1, 2, 3].last # => 3
[].last # => nil
[1, 2, 3].last(2) # => [2, 3]
[1].last(-1) # raises ArgumentError: negative array size
