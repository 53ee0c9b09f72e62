# Range#inject of Integers: with a block, an operation, a start, and what falls back to each.
(1..5).inject(:+) # => 15
(1...5).inject(:*) # => 24
(1..5).inject(10, :+) # => 25
(1..5).inject { |a, b| a * b } # => 120
(1..5).inject(2) { |a, b| a - b } # => -13
(1..5).reduce(:+) # => 15
(1..5).inject("+") # => 15
(1..5).inject(1, "*") # => 120
(5..1).inject(:+) # => nil
(5..1).inject(7, :+) # => 7
(1...1).inject { raise } # => nil
(3..3).inject { raise } # => 3
(1..25).inject(:*) # => 15511210043330985984000000
(2**64..2**64 + 2).inject(:+) # => 55340232221128654851
("a".."e").inject(:+) # => "abcde"
(1..2.5).inject(:+) # => 3
(1..).inject { |a, b| b > 3 ? (break a) : a + b } # => 6
(1..3).inject([]) { |a, b| a << b } # => [1, 2, 3]
(1..3).inject { |a| a } # => 1
(1..3).inject # raises ArgumentError: wrong number of arguments (given 0, expected 1..2)
(1..3).inject(1, 2, 3) # raises ArgumentError: wrong number of arguments (given 3, expected 1..2)
(1..3).inject(1) # raises TypeError: 1 is not a symbol nor a string
(1..3).inject(:none) # raises NoMethodError: undefined method 'none' for an instance of Integer
class Doubled < Range
  def each = super { |x| yield x * 2 }
end
Doubled.new(1, 3).inject(:+) # => 12
Doubled.new(1, 3).reduce { |a, b| a + b } # => 12
(1..3).inject(1, 2, 3) { } # raises ArgumentError: wrong number of arguments (given 3, expected 0..2)
