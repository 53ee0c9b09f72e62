m = Module.new do
  def a = 1
  def b = 2
  private def c = 3
end
m.instance_methods.sort # => [:a, :b]
m.private_instance_methods # => [:c]
m.instance_method(:a).owner == m # => true
m.method_defined?(:a) # => true
m.method_defined?(:c) # => false
m.private_method_defined?(:c) # => true
m.public_method_defined?("b") # => true
m.send(:remove_method, :a)
m.method_defined?(:a) # => false
m.send(:remove_method, :zz) # raises NameError: method 'zz' not defined in #<Module:0xXX>
m.send(:undef_method, :zz) # raises NameError: undefined method 'zz' for module '#<Module:0xXX>'
m.send(:define_method, :d) { 4 } # => :d
m.instance_methods(false).sort # => [:b, :d]
m.public_instance_method(:d).arity # => 0
m.public_instance_method(:c) # raises NameError: method 'c' for module '#<Module:0xXX>' is private
m.module_eval { self }.equal?(m) # => true
m.class_variable_set(:@@a, 1) # => 1
m.class_variables # => [:@@a]
m.to_s =~ /#<Module:0x/ # => 0
m.set_temporary_name("fake<m>").inspect # => "fake<m>"
Comparable.instance_of?(Module) # => true
Class.instance_method(:new).owner # => Class
Kernel.singleton_methods.include?(:puts) # => true
Integer.instance_method(:+).inspect # => "#<UnboundMethod: Integer#+(_)>"
String.method_defined?(:upcase, false) # => true
Class.new.attached_object rescue $!.class # => TypeError
String.singleton_class.attached_object # => String
String.singleton_class.singleton_class? # => true
m.instance_methods.size # => 2
Object.new.singleton_class.instance_methods(false) # => []
Module.new.const_set("A", 1) # => 1
Class.new(String).superclass # => String
Integer.subclasses # => []
Class.new.subclasses # => []
