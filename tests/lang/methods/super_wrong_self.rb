# `super` in a block whose self was changed to an object of another class.
class Parent
  def name = "parent"
end
class Child < Parent
  def name = Object.new.instance_eval { super() }
end
Child.new.name # raises TypeError: self has wrong type to call super in this context: Object (expected Child)
module Named
  def name = Object.new.instance_eval { super() }
end
class Including < Parent
  include Named
end
Including.new.name # raises TypeError: self has wrong type to call super in this context: Object (expected Including)
class Bound < Parent; end
unbound = Module.new { def name = super() }.instance_method(:name)
unbound.bind_call(Bound.new) # => "parent"
