# Names of destructured parameters come behind all parameters.
def m(a, (b, (c, *d)), e, f: 1) = binding.local_variables
m(1, [2, [3]], 4) # => [:a, :e, :f, :b, :c, :d]
proc { |a, (b, c), d| x = 1; binding.local_variables.first(5) }.call(1, [2, 3], 4) # => [:a, :d, :b, :c, :x]
def n((a, b), c) = local_variables
n([1, 2], 3) # => [:c, :a, :b]
def passes(&block) = no_such_name
error = (passes rescue $!)
error.local_variables # => [:block]
