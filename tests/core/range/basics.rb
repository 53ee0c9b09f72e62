(1..5).sum # => 15
(1..5).size # => 5
(1...5).size # => 4
(1..5.5).size # => 5
(1..).size # => Infinity
("a".."z").count # => 26
(1..10).step(3).to_a # => [1, 4, 7, 10]
(1.0..2.0).step(0.5).to_a # => [1.0, 1.5, 2.0]
("a".."e").step(2).to_a # => ["a", "c", "e"]
(1..5).include?(3) # => true
(1..5) === 3.5 # => true
(1..5).cover?(2..3) # => true
("a".."z").cover?("bb") # => true
("a".."z").include?("bb") # => false
(1..5).first # => 1
(1..5).first(2) # => [1, 2]
(1..5).last(2) # => [4, 5]
(1..5).min # => 1
(1..5).max # => 5
(1...5).max # => 4
(1..0).max # => nil
(1...5.5).max rescue $!.message # => "cannot exclude non Integer end value"
(1..5).minmax # => [1, 5]
(1..nil).first(2) # => [1, 2]
(1..nil).last # raises RangeError: cannot get the last element of endless range
(nil..1).first # raises RangeError: cannot get the first element of beginless range
(nil..1).each { } # raises TypeError: can't iterate from NilClass
(1..5) == (1..5) # => true
(1..5).eql?(1..5) # => true
(1..5).hash == (1..5).hash # => true
(1..5).to_s # => "1..5"
(1..5).inspect # => "1..5"
("a".."b").inspect # => "\"a\"..\"b\""
(1..3).reverse_each.to_a # => [3, 2, 1]
(..3).reverse_each.first(2) # => [3, 2]
(1..3).each_slice(2).to_a # => [[1, 2], [3]]
Range.new(1, "a") # raises ArgumentError: bad value for range
(0.5..2).each { } # raises TypeError: can't iterate from Float
(0.5..2).to_a # raises TypeError: can't iterate from Float
(0.5..2).include?(1) # => true
Range.new(1, 3, true) # => 1...3
(1..10) % 4 # => ((1..10).%(4))
(1..3).begin # => 1
(1...3).exclude_end? # => true
(1..10).bsearch { |x| x >= 7 } # => 7
(0.0..10.0).bsearch { |x| x >= 2.5 } # => 2.5
(1..3).overlap?(3..4) # => true
(1..3).count(&:odd?) # => 2
(1..3).to_a.frozen? # => false
(Time.at(0)..Time.at(1)).cover?(Time.at(0.5)) # => true
(1..2).pred rescue $!.class # => NoMethodError
(1..3).step(0) { } # raises ArgumentError: step can't be 0
(1..3).first(-1) # raises ArgumentError: negative array size (or size too big)
(3..1).to_a # => []
(-1..-5).to_a # => []
("08".."11").to_a # => ["08", "09", "10", "11"]
