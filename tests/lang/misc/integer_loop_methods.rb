out = []
3.times { out << _1 }
1.upto(3) { out << _1 }
3.downto(1) { out << _1 }
1.step(10, 4) { out << _1 }
10.step(1, -5) { out << _1 }
out # => [0, 1, 2, 1, 2, 3, 3, 2, 1, 1, 5, 9, 10, 5]
1.0.step(2.0, 0.5).to_a # => [1.0, 1.5, 2.0]
1.step(by: 2, to: 5).to_a # => [1, 3, 5]
3.times.to_a # => [0, 1, 2]
1.step(by: 2).first(2) # => [1, 3]
0.times { raise } # => 0
1.upto(0) { raise } # => 1
