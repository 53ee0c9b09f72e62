proc { |a, b| }.arity # => 2
proc { |*a| }.arity # => -1
lambda { |a, b = 1| }.arity # => -2
->() {}.arity # => 0
->(a, b:) {}.arity # => 2
proc { 1 } == proc { 1 } # => false
pr = proc { 1 }
pr == pr.dup # => true
pr.source_location.last # => 7
->(x) {}.parameters # => [[:req, :x]]
pr.binding.class # => Binding
pr.inspect =~ /#<Proc:0x\h+ .*:7>/ # => 0
lambda(&pr) # raises ArgumentError: the lambda method requires a literal block
Proc.new { |x| x }.call([1, 2]) # => [1, 2]
proc { |x, *| x }.call([1, 2]) # => 1
proc { |(x, y), z| [x, y, z] }.call([1, 2], 3) # => [1, 2, 3]
->(x, y = x * 2) { [x, y] }.call(1) # => [1, 2]
proc { |x, k: 1| [x, k] }.call(1, k: 2) # => [1, 2]
proc { |x, k: 1| [x, k] }.call([1, 2]) # => [[1, 2], 1]
proc { |x, **o| [x, o] }.call({ a: 1 }) # => [{a: 1}, {}]
proc { _1 }.parameters # => [[:opt, :_1]]
:upcase.to_proc.call("a") # => "A"
method(:puts).to_proc.lambda? # => true
(proc { |x| x + 1 } >> proc { |x| x * 2 }).(1) # => 4
Proc.new # raises ArgumentError: tried to create Proc object without a block
lambda # raises ArgumentError: tried to create Proc object without a block
proc { return 1 }.lambda? # => false
pr.hash == pr.dup.hash # => true
pr.ruby2_keywords rescue $!.class # => #<Proc:0xXX TESTS/core/proc/methods.rb:7>
