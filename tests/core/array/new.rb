Array.new # => []
Array.new(3) # => [nil, nil, nil]
Array.new(2, :a) # => [:a, :a]
Array.new(3) { |i| i * i } # => [0, 1, 4]
Array.new([1, 2]) # => [1, 2]
Array(nil) # => []
Array([1]) # => [1]
Array(1..3) # => [1, 2, 3]
Array({ a: 1 }) # => [[:a, 1]]
Array("a\nb") # => ["a\nb"]
Array.new(-1) # raises ArgumentError: negative array size
Array.new("a") # raises TypeError: no implicit conversion of String into Integer
Array.new(2**62) # raises ArgumentError: array size too big
