# Constants that one eval in the binding of an instance_eval defines are seen by the next.
object = Object.new
binding_of_object = object.instance_eval("binding")
binding_of_object.eval("NUMBER = 1; class Kept; end")
binding_of_object.eval("NUMBER") # => 1
binding_of_object.eval("Kept.class") # => Class
binding_of_object.eval("Module.nesting") == [object.singleton_class] # => true
Object.const_defined?(:NUMBER) # => false
object.singleton_class.constants(false).sort # => [:Kept, :NUMBER]
