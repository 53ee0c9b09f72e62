# ArithmeticSequence#last counts back from the end: what rounding makes of it is CRuby's.
(1..3).step(0.1).last(2) # => [2.9, 3.0]
(1...3).step(0.1).last(2) # => [2.8, 2.9]
1.step(3, 0.1).last(3) # => [2.8000000000000003, 2.9000000000000004, 3.0000000000000004]
10.0.step(1.0, -0.3).last(3) # => [1.5999999999999999, 1.2999999999999998, 0.9999999999999998]
1.step(10, 4r / 3).last(2) # => [7.666666666666667, 9.0]
1.step(10, 4r / 3).last # => (9/1)
(1...4).step(2).last(5) # => [1, 3]
(1...3).step(2).last(5) # => [1]
(3..1).step(1).last # => nil
(3..1).step(1).last(2) # => []
(1..3).step(1).last(-1) # raises ArgumentError: negative array size
(-(2**64)).times.size # => 0
(2**64).times.size # => 18446744073709551616
