def m(a, b = 1, *c, d, e:, f: 2, **g, &h) = nil
method(:m).arity # => -4
method(:m).parameters # => [[:req, :a], [:opt, :b], [:rest, :c], [:req, :d], [:keyreq, :e], [:key, :f], [:keyrest, :g], [:block, :h]]
->(a, b) {}.arity # => 2
proc { |a, b| }.arity # => 2
proc { |a, b = 1| }.arity # => 1
->(*) {}.arity # => -1
->(a:) {}.arity # => 1
->(a: 1) {}.arity # => -1
proc { |a| }.parameters(lambda: true) # => [[:req, :a]]
def f(...) = nil
method(:f).parameters # => [[:rest, :*], [:keyrest, :**], [:block, :&]]
def n(**nil) = nil
method(:n).parameters # => [[:nokey]]
:upcase.to_proc.arity # => -2
:upcase.to_proc.parameters # => [[:req], [:rest]]
