class V
  attr_reader :x
  def initialize(x) = @x = x
  def +(o) = V.new(x + o.x)
  def -@ = V.new(-x)
  def +@ = self
  def ! = :bang
  def ~ = :tilde
  def [](*i) = [:get, i]
  def ==(o) = o.is_a?(V) && x == o.x
  def =~(o) = [:match, o]
  def call(*a) = [:call, a]
  def coerce(n) = [V.new(n), self]
  def <=>(o) = x <=> o.x
  include Comparable
  def `(s) = "tick #{s}"
  def tick = `ls`
end
v = V.new(1)
(v + V.new(2)).x # => 3
(-v).x # => -1
!v # => :bang
~v # => :tilde
v[1, 2] # => [:get, [1, 2]]
v == V.new(1) # => true
v != V.new(1) # => false
v =~ 3 # => [:match, 3]
v.(4) # => [:call, [4]]
(5 + v).x # => 6
v < V.new(2) # => true
v.tick # => "tick ls"
