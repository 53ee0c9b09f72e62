# Ends are compared by <=>, whatever respond_to? says, and what it raises is raised.
class Raising
  def <=>(other) = raise("cmp")
end
class Quiet
  def <=>(other) = 0
  def respond_to?(name, *) = name == :to_int
  def method_missing(name, *) = name == :to_int ? 1 : super
end

(Raising.new..Raising.new) # raises RuntimeError: cmp
Range.new(Raising.new, Raising.new) # raises RuntimeError: cmp
(BasicObject.new..1) # raises NoMethodError
(Object.new..1) # raises ArgumentError: bad value for range
"hello there"[Quiet.new..Quiet.new] # => "e"
