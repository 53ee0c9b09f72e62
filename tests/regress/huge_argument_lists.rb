[*1..10_000].then { |a| [].push(*a).size } # => 10000
def many(*a, k: 0) = a.size + k
many(*[0] * 20_000, k: 1) # => 20001
[1].concat(*[[2]] * 1000).size # => 1001
Array.new(3000) { |i| i }.then { |a| a.max } # => 2999
