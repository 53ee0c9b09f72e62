# grep asks the === of a subclass of Regexp; tally takes what has no nil?.
class Any < Regexp
  def ===(other) = true
end
[1, 2].grep(Any.new("x")) # => [1, 2]
[1, 2].grep_v(Any.new("x")) # => []
%w[ab cd].grep(/a/) # => ["ab"]
["a"].each.tally(BasicObject.new) rescue $!.class # => TypeError
Class.new { X_OF_BLOCK = 1 }.class_eval { Module.constants }.include?(:X_OF_BLOCK) # => true
klass = Class.new { const_set(:OWN, 1) }
klass.class_eval { Module.constants }.include?(:OWN) # => false
