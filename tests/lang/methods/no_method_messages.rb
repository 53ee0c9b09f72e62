nil.foo # raises NoMethodError: undefined method 'foo' for nil
1.foo # raises NoMethodError: undefined method 'foo' for an instance of Integer
"a".foo # raises NoMethodError: undefined method 'foo' for an instance of String
Object.new.foo # raises NoMethodError: undefined method 'foo' for an instance of Object
foo # raises NameError: undefined local variable or method 'foo' for main
self.foo # raises NoMethodError: undefined method 'foo' for main
foo() # raises NoMethodError: undefined method 'foo' for main
String.foo # raises NoMethodError: undefined method 'foo' for class String
true.foo # raises NoMethodError: undefined method 'foo' for true
:a.foo(1) # raises NoMethodError: undefined method 'foo' for an instance of Symbol
Kernel.nope # raises NoMethodError: undefined method 'nope' for module Kernel
class Named; end
Named.new.foo # raises NoMethodError: undefined method 'foo' for an instance of Named
[].undefined_thing # raises NoMethodError: undefined method 'undefined_thing' for an instance of Array
