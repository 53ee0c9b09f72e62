r = class A
  self
end
r # => A
(class A; 5; end) # => 5
class A
  def x = 1
end
class A
  def y = x + 1
end
A.new.y # => 2
class B < A; end
B.superclass # => A
eval("class B < String; end") # raises TypeError: superclass mismatch for class B
eval("class Kernel; end") # raises TypeError
eval("module A; end") # raises TypeError: A is not a module\nTESTS/lang/classes/definition.rb:1: previous definition of A was here
eval("X1 = 1; class X1; end") # raises TypeError: X1 is not a class\n(eval at TESTS/lang/classes/definition.rb:18):1: previous definition of X1 was here
class << self
  def on_main = :main
end
on_main # => :main
Class.new(A) { def z = 3 }.new.z # => 3
Class.new(Class) # raises TypeError: can't make subclass of Class
eval("class C < 5; end") # raises TypeError: superclass must be an instance of Class (given an instance of Integer)
A.allocate.class # => A
Integer.new # raises NoMethodError: undefined method 'new' for class Integer
Integer.allocate # raises TypeError: allocator undefined for Integer
BasicObject.instance_methods.sort # => [:!, :!=, :==, :__id__, :__send__, :equal?, :instance_eval, :instance_exec]
