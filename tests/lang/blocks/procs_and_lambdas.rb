pr = proc { |a, b| [a, b] }
pr.call(1) # => [1, nil]
pr.call([1, 2]) # => [1, 2]
pr.(1, 2, 3) # => [1, 2]
pr[4, 5] # => [4, 5]
la = lambda { |a, b| [a, b] }
la.call(1) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
la.call([1, 2]) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
[[1, 2]].map(&la) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
la.lambda? # => true
pr.lambda? # => false
pr.yield(1) # => [1, nil]
pr === 1 # => [1, nil]
proc { next 5; 6 }.call # => 5
lambda { return 7 }.call # => 7
->(x) { x }.curry # => #<Proc:0xXX (lambda)>
(->(x) { x + 1 } >> ->(x) { x * 2 }).call(3) # => 8
(->(x) { x + 1 } << ->(x) { x * 2 }).call(3) # => 7
(:upcase.to_proc >> :reverse.to_proc).call("ab") # => "BA"
