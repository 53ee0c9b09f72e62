h = {}
h[:b] = 1
h[:a] = 2
h[:b] = 3
h # => {b: 3, a: 2}
h.delete(:b)
h[:b] = 4
h.keys # => [:a, :b]
key = +"k"
h[key] = 5
key << "x"
h.key?("k") # => true
h.keys.last.frozen? # => true
h.store(:c, 6) # => 6
h.length # => 4
h.each { |k, v| h[k] = v }
h.each { |k, v| h[:new] = 1 } # raises RuntimeError: can't add a new key into hash during iteration
