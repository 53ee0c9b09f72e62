class C
  def a = :a
  alias b a
  alias_method :c, :a
  def a = :new
  def gone = 1
  undef gone
  def removed = 1
  remove_method :removed
  alias :"odd name" b
  alias + b
end
c = C.new
[c.a, c.b, c.c] # => [:new, :a, :a]
c.gone # raises NoMethodError: undefined method 'gone' for an instance of C
c.removed # raises NoMethodError: undefined method 'removed' for an instance of C
c.send(:"odd name") # => :a
(c + 1) # raises ArgumentError: wrong number of arguments (given 1, expected 0)
C.instance_method(:b).name # => :b
C.instance_method(:b).original_name # => :a
$old = 1
alias $new $old
$new # => 1
class D < C
  undef_method :b
end
D.new.b # raises NoMethodError: undefined method 'b' for an instance of D
