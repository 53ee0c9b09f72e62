class Meters
  attr_reader :n
  def initialize(n) = @n = n
  def coerce(other) = [Meters.new(other), self]
  def +(o) = Meters.new(n + (o.is_a?(Meters) ? o.n : o))
  def *(o) = Meters.new(n * (o.is_a?(Meters) ? o.n : o))
  def <=>(o) = n <=> o.n
  include Comparable
end
(5 + Meters.new(3)).n # => 8
(2.0 * Meters.new(3)).n # => 6.0
1 + nil # raises TypeError: nil can't be coerced into Integer
1 + "a" # raises TypeError: String can't be coerced into Integer
1.0 * :a # raises TypeError: :a can't be coerced into Float
"a" + 1 # raises TypeError: no implicit conversion of Integer into String
[1] + 1 # raises TypeError: no implicit conversion of Integer into Array
nil + 1 # raises NoMethodError: undefined method '+' for nil
1 < "a" # raises ArgumentError: comparison of Integer with String failed
1 <=> "a" # => nil
1 == "a" # => false
3 & 1.5 # raises TypeError: 1.5 can't be coerced into Integer
