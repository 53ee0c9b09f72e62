[1, 2, 3].sum # => 6
[0.1] * 3 == [0.1, 0.1, 0.1] # => true
[0.1, 0.2, 0.3].sum # => 0.6
[0.1, 0.2, 0.3].inject(:+) # => 0.6000000000000001
[1, 2.5, 1r].sum # => 4.5
["a", "b"].sum("") # => "ab"
[[1], [2]].sum([]) # => [1, 2]
[1, 2, 3].inject { |a, b| a * b } # => 6
[1, 2, 3].inject(10) { |a, b| a + b } # => 16
[1, 2, 3].inject(:*) # => 6
[1, 2, 3].reduce(2, :+) # => 8
[].inject(:+) # => nil
[].sum # => 0
["a"].sum # raises TypeError: String can't be coerced into Integer
[3, 4].sum { |x| x * 2 } # => 14
[2**61, 2**61, 2**61, 2**61, 1].inject(:+) # => 9223372036854775809
[2**62 - 1, 1, -1].inject(:+) # => 4611686018427387903
[-2**62, -2**62, -1].inject(:+) # => -9223372036854775809
[1, 2**70, 3].inject(:+) # => 1180591620717411303428
[1, 2.5, 3].inject(:+) # => 6.5
# Too many arguments.
[1].inject(1, 2, 3) # raises ArgumentError: wrong number of arguments (given 3, expected 1..2)
[1].inject(1, 2, 3, 4) { } # raises ArgumentError: wrong number of arguments (given 4, expected 0..2)
