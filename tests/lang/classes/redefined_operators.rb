class Integer
  alias_method :old_plus, :+
  def +(other) = other == 77 ? :redefined : old_plus(other)
end
1 + 77 # => :redefined
x = 2
x + 77 # => :redefined
1 + 2 # => 3
[1, 2].sum # => 3
class String
  def ==(other) = true
end
"a" == "b" # => true
"a" != "b" # => false
class Array
  def [](i) = [:at, i]
end
[1, 2][0] # => [:at, 0]
