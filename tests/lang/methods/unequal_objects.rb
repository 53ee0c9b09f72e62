# `!=` of objects that are compared by identity follows every later definition of `==` and `!=`.
def unlike(a, b) = a != b
def branch(a, b) = (a != b) ? 1 : 2
first, second = Object.new, Object.new
unlike(first, second) # => true
unlike(first, first) # => false
branch(first, second) # => 1
branch(first, first) # => 2
unlike(first, nil) # => true
class Same
  def ==(other) = true
end
unlike(Same.new, 1) # => false
class Object
  def ==(other) = true
end
unlike(first, second) # => false
branch(first, second) # => 2
class Object
  remove_method :==
end
unlike(first, second) # => true
def first.!=(other) = :never
unlike(first, second) # => :never
branch(first, second) # => 1
unlike(second, first) # => true
