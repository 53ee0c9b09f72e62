# Variables that a binding gets one by one are seen by it and by what it evaluates, and by nobody else.
def give = binding
b = give
200.times { |i| b.local_variable_set("v#{i}", i) }
b.local_variables.size # => 200
[b.local_variable_get(:v0), b.local_variable_get(:v199)] # => [0, 199]
b.eval("v7 + v199") # => 206
b.eval("v7 = 1; new = 2")
[b.local_variable_get(:v7), b.local_variable_get(:new)] # => [1, 2]
b.local_variable_set("größe", 3)
b.eval("größe") # => 3
b.local_variable_set(:v7, 4)
b.eval("-> { v7 }").call # => 4
give.local_variables # => []
b.local_variable_set("1a", 1) # raises NameError
