def make
  a = 1
  [-> { a }, ->(x) { a = x }]
end
get, set = make
set.(5)
GC.start
get.call # => 5
procs = 10.times.map { |i| -> { i += 1 } }
procs.map(&:call) # => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
procs.map(&:call) # => [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
def binding_of(x) = binding
b = binding_of(3)
b.local_variable_set(:x, 4)
b.eval("x") # => 4
