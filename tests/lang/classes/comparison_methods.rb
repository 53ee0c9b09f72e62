class V
  include Comparable
  attr_reader :v
  def initialize(v) = @v = v
  def <=>(o) = o.is_a?(V) ? v <=> o.v : nil
  def inspect = "V#{v}"
  def succ = V.new(v + 1)
end
a, b = V.new(1), V.new(3)
a < b # => true
a == V.new(1) # => true
a.between?(a, b) # => true
V.new(9).clamp(a, b) # => V3
V.new(0).clamp(a..b) # => V1
[b, a].sort # => [V1, V3]
[a, b].max # => V3
(a..b).to_a # => [V1, V2, V3]
(a..b).include?(V.new(2)) # => true
a < 5 # raises ArgumentError: comparison of V with 5 failed
a == 5 # => false
