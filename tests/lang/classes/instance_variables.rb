class A
  def initialize
    @b = 1
    @a = 2
  end
end
x = A.new
x.instance_variables # => [:@b, :@a]
x.instance_variable_get(:@a) # => 2
x.instance_variable_set(:@c, 3) # => 3
x.instance_variable_defined?(:@c) # => true
x.remove_instance_variable(:@b) # => 1
x.instance_variables # => [:@a, :@c]
x.remove_instance_variable(:@zz) # raises NameError: instance variable @zz not defined
x.instance_variable_get("bad") # raises NameError: 'bad' is not allowed as an instance variable name
x.instance_variable_get(:@none) # => nil
x.inspect.sub(/0x\h+/, "0x") # => "#<A:0x @a=2, @c=3>"
@main = 1
instance_variables # => [:@main]
