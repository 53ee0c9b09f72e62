5.clamp(1, 3) # => 3
0.clamp(1, 3) # => 1
2.clamp(1, 3) # => 2
5.clamp(..3) # => 3
5.clamp(7..) # => 7
5.clamp(3, 1) # raises ArgumentError: min argument must be less than or equal to max argument
5.clamp(1...3) # raises ArgumentError: cannot clamp with an exclusive range
"b".clamp("a", "c") # => "b"
5.clamp(nil, 3) # => 3
