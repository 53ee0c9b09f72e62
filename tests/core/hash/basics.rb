h = { a: 1, "b" => 2 }
h[:a] # => 1
h["b"] # => 2
h[:none] # => nil
h.fetch(:a) # => 1
h.fetch(:z, 9) # => 9
h.fetch(:z) { |k| k.to_s } # => "z"
h.fetch(:z) # raises KeyError: key not found: :z
h.fetch("zz") # raises KeyError: key not found: "zz"
h.key?(:a) # => true
h.value?(2) # => true
h.key(2) # => "b"
h.size # => 2
h.keys # => [:a, "b"]
h.values # => [1, 2]
h.values_at(:a, :q) # => [1, nil]
h.fetch_values(:a) # => [1]
h.fetch_values(:q) # raises KeyError: key not found: :q
h.dig(:a) # => 1
{ a: { b: [1, 2] } }.dig(:a, :b, 1) # => 2
h.to_a # => [[:a, 1], ["b", 2]]
h.first # => [:a, 1]
h.empty? # => false
h.any? { |k, v| v > 1 } # => true
h.count # => 2
h.find { |k, v| v == 2 } # => ["b", 2]
