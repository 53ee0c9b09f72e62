Hash[[[1, 2], [3, 4]]] # => {1 => 2, 3 => 4}
Hash[1, 2, 3, 4] # => {1 => 2, 3 => 4}
Hash[{ a: 1 }] # => {a: 1}
Hash[1, 2, 3] # raises ArgumentError: odd number of arguments for Hash
Hash([]) # => {}
Hash(nil) # => {}
[[:a, 1]].to_h # => {a: 1}
%w[a b].zip([1, 2]).to_h # => {"a" => 1, "b" => 2}
