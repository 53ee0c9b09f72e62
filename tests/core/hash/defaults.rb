h = Hash.new(5)
h[:x] # => 5
h # => {}
h.default # => 5
g = Hash.new { |hash, k| hash[k] = k.to_s * 2 }
g[:ab] # => "abab"
g # => {ab: "abab"}
g.default_proc.class # => Proc
g.fetch(:zz, 0) # => 0
g.default # => nil
h.default = 7
h[:q] # => 7
Hash.new(capacity: 10) # => {}
Hash.new(1) { } # raises ArgumentError: wrong number of arguments (given 1, expected 0)
Hash.new(1, 2) # raises ArgumentError: wrong number of arguments (given 2, expected 0..1)
g.dig(:cd) # => "cdcd"
Hash.new { |h, k| raise KeyError, "no #{k}" }.then { |h| h[:a] rescue $!.message } # => "no a"
