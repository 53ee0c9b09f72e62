# Ranges of integers know their count, their least element and what they share without iterating.
(1..10).count # => 10
(1...10).count # => 9
(5..1).count # => 0
(1..10).count(3) # => 1
(1..10).count(&:even?) # => 5
(1..).count # => Infinity
("a".."e").count # => 5
(1..2.5).count # => 2
(1..10).count(1, 2) # raises ArgumentError: wrong number of arguments (given 2, expected 0..1)
(-(1 << 62)..(1 << 62) - 1).count # => 9223372036854775808
(1..10).min # => 1
(1...1).min # => nil
(3..1).min # => nil
(2..).min # => 2
(..2).min # raises RangeError: cannot get the minimum of beginless range
(1..10).min(2) # => [1, 2]
(1..4).min { |a, b| b <=> a } # => 4
(1.5..3).min # => 1.5
("b".."d").min # => "b"
ranges = [1..3, 1...3, 3..5, 4..6, 0..1, 2.., ..2, ...1, 3...3, 5..1]
ranges.map { |a| ranges.map { |b| a.overlap?(b) ? 1 : 0 }.join } # => ["1110111000", "1100111000", "1011010000", "0011010000", "1100101100", "1111011000", "1100111100", "0000101100", "0000000000", "0000000000"]
(1..3).overlap?(2.5..2.7) # => true
(1..3).overlap?("a".."b") # => false
(1..3).overlap?(3) # raises TypeError: wrong argument type Integer (expected Range)
(1..100).bsearch { |x| x >= 37 } # => 37
(1..100).bsearch { |x| 37 <=> x } # => 37
(1..100).bsearch { nil } # => nil
(1..100).bsearch { false } # => nil
(1..100).bsearch { "x" } # raises TypeError: wrong argument type String (must be numeric, true, false or nil)
(-100..-1).bsearch { |x| x >= -50 } # => -50
(1...(1 << 70)).bsearch { |x| x >= 1 << 65 } # => 36893488147419103232

module Enumerable
  alias every_min min
  def min(*) = :mine
end
[3, 1].each.min # => :mine
(1..3).min # => 1
module Enumerable
  alias min every_min
end

class Integer
  alias order <=>
  def <=>(other) = -order(other)
end
(1..3).overlap?(2..4) # => false
class Integer
  alias <=> order
end
(..2).overlap?(.."a") # => false
