h = {}.compare_by_identity
k = +"a"
h[k] = 1
h[+"a"] = 2
h.size # => 2
h[k] # => 1
h["a".dup] # => nil
h.compare_by_identity? # => true
h.inspect # => "{\"a\" => 1, \"a\" => 2}"
