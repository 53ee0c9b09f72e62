# Integers and Floats mixed; the first of equal ones

[3, 1.5, 2].max # => 3
[1, 1.0].max # => 1
[1.0, 1].min # => 1.0
[2**53 + 1, (2**53).to_f].max # => 9007199254740993
[2**70, 1.0, 3].max # => 1180591620717411303424
[0.5, -0.0, 0.0].min # => -0.0
[3, nil].max # raises ArgumentError: comparison of Integer with nil failed
%w[b a c].min(2) # => ["a", "b"]
%w[bb a ccc].max { |x, y| x.size <=> y.size } # => "ccc"
[3, 1, 2].max { |_, _| break :out } # => :out
[].max # => nil
[].min(1) # => []
[3, 1.5, 2, 1].sort # => [1, 1.5, 2, 3]
[3, 1.5, 2].sort_by { |x| -x } # => [3, 2, 1.5]
[2**60, 1.5].sort # => [1.5, 1152921504606846976]
%w[a b a].tally # => {"a" => 2, "b" => 1}
[1, 1, 2].each_entry.tally({ 1 => 2**40 }) # => {1 => 1099511627778, 2 => 1}
[1, 2].tally({ 1 => "a" }) # raises TypeError: wrong argument type String (expected Integer)
[1, 2].tally({}.freeze) # raises FrozenError: can't modify frozen Hash: {}
[1].tally(3) # raises TypeError: no implicit conversion of Integer into Hash
