class Blank < BasicObject
  def method_missing(name, *args) = [name, args]
  def respond_to_missing?(*) = true
end
b = Blank.new
b.anything(1) # => [:anything, [1]]
b.inspect # => [:inspect, []]
(b == b) # => true
b.!.to_s # => "false"
Blank.superclass # => BasicObject
BasicObject.superclass # => nil
Blank.instance_method(:method_missing).owner # => Blank
class Blank
  def kernel = ::Kernel.format("%d", 1)
  def const = String
end
b.kernel # => "1"
b.const # raises NameError: uninitialized constant Blank::String
