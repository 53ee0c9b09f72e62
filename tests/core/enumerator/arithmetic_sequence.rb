s = 1.step(10, 3)
s.class # => Enumerator::ArithmeticSequence
s.to_a # => [1, 4, 7, 10]
s.begin # => 1
s.end # => 10
s.step # => 3
s.last # => 10
s.last(2) # => [7, 10]
s.size # => 4
s == 1.step(10, 3) # => true
s.inspect # => "(1.step(10, 3))"
((1..10) % 3).inspect # => "((1..10).%(3))"
(1..10).step(2).inspect # => "((1..10).step(2))"
1.step(by: -1, to: -1).to_a # => [1, 0, -1]
1.0.step(2.0, 0.1).to_a # => [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7000000000000002, 1.8, 1.9, 2.0]
(0..1).step(0.25).to_a # => [0.0, 0.25, 0.5, 0.75, 1.0]
s.first(2) # => [1, 4]
s.include?(4) # => true
# Steps that are Complex numbers, from Floats and without an end.
(0.0..).step(1.0i).take(3) # => [0.0, (0.0+1.0i), (0.0+2.0i)]
(1..).step(1i).first(3) # => [1, (1+1i), (1+2i)]
(0.0i..).step(1.0i).take(2) # => [(0+0.0i), (0+1.0i)]
