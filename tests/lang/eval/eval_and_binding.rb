x = 1
eval("x + 1") # => 2
eval("y = 5; y * x") # => 5
defined?(y) # => nil
b = binding
b.local_variable_set(:z, 9)
b.local_variable_get(:z) # => 9
b.local_variables.include?(:x) # => true
b.eval("z + x") # => 10
b.local_variable_defined?(:nope) # => false
b.local_variable_get(:nope) # raises NameError: local variable 'nope' is not defined for #<Binding:0xXX>
b.receiver.inspect # => "main"
def get_binding(a) = binding
get_binding(3).eval("a * 2") # => 6
eval("__FILE__", nil, "given.rb", 77) # => "given.rb"
eval("__LINE__", nil, "given.rb", 77) # => 77
eval("[__FILE__, __LINE__]", b, "f", 3) # => ["f", 3]
b.irb rescue 0 if false
counter = eval("n = 0; -> { n += 1 }")
counter.call
counter.call # => 2
