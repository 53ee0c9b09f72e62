name = "Nameλ".encode("euc-jp")
Object.const_set(name, 1)
Object.const_defined?(name) # => true
Object.const_get(name) # => 1
Object.const_defined?("Object::#{name}") rescue $!.class # => true
Object.const_defined?("::String") # => true
Object.const_defined?("String::") # raises NameError: wrong constant name String::
Object.const_defined?("") # raises NameError: wrong constant name 
