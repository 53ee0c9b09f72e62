# Range#overlap? with ends of every kind: Strings, Floats, open ends, ends that do not compare.
("a".."d").overlap?("c".."f") # => true
("a".."b").overlap?("c".."f") # => false
("a"..."c").overlap?("c".."f") # => false
(1.0..2.0).overlap?(2..3) # => true
(1.0...2.0).overlap?(2..3) # => false
(3..1).overlap?(1..4) # => false
(1..2).overlap?("a".."b") # => false
(nil..1).overlap?(nil..2) # => true
(nil..1).overlap?(nil.."a") # => false
(nil..."").overlap?(nil.."a") # => true
(nil...-Float::INFINITY).overlap?(-5..3) # => false
(1..2).overlap?(1) # raises TypeError: wrong argument type Integer (expected Range)

class Unordered < String
  def <=>(other) = nil
end

("a".."c").cover?(Unordered.new("b")) # => false
Range.new(Unordered.new("b"), nil).cover?("c") # => false
# Beginnings that do not compare never overlap, those that are equal always do.
(1..).overlap?("a"..) # => false
(1..).overlap?(2..) # => true
("b"..).overlap?("b"..) # => true
