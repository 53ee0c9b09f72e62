class A
  attr_accessor :list, :copies
  def initialize_copy(other)
    @copies = (other.copies || 0) + 1
    @list = other.list.dup
  end
end
a = A.new
a.list = [1]
b = a.dup
b.list << 2
a.list # => [1]
b.list # => [1, 2]
b.copies # => 1
b.clone.copies # => 2
s = "text".freeze
s.dup.frozen? # => false
s.clone.frozen? # => true
s.clone(freeze: false).frozen? # => false
Object.new.clone(freeze: true).frozen? # => true
Object.new.clone(freeze: 1) # raises ArgumentError: unexpected value for freeze: Integer
method(:puts).clone.class # => Method
[1, [2]].dup.last.equal?([2]) # => false
{ a: 1 }.clone.frozen? # => false
A.dup.name # => nil
A.clone.new.class == A # => false

# A singleton class's own singleton class is cloned with it.
object = Object.new
object.singleton_class.singleton_class.define_method(:second) { :second }
object.singleton_class.singleton_class.singleton_class.define_method(:third) { :third }
copy = object.clone
copy.singleton_class.second # => :second
copy.singleton_class.singleton_class.respond_to?(:third) # => false
copy.singleton_class.singleton_class.instance_methods(false) # => [:second]
copy.singleton_class.instance_methods(false) # => []
copy.singleton_class.singleton_class.define_method(:of_copy) { 1 }
object.singleton_class.respond_to?(:of_copy) # => false
