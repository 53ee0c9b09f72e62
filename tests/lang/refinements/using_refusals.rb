def m
  using Module.new
end
m # raises RuntimeError: main.using is permitted only at toplevel
using 5 # raises TypeError: wrong argument type Integer (expected Module)
Class.new { refine(String) {} } # raises NoMethodError: undefined method 'refine' for class #<Class:0xXX>
Module.new { refine(5) {} } # raises TypeError: wrong argument type Integer (expected Class or Module)
Module.new { refine(String) } # raises ArgumentError: no block given
