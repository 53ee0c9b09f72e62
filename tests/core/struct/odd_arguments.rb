# Arguments of Struct.new, of its classes' new, and of initialize_copy.
Struct.new(1) # raises TypeError: no implicit conversion of Integer into String
Struct.new(:a, 1) # raises TypeError: 1 is not a symbol nor a string
Struct.new(:a, :b=) # raises ArgumentError: invalid struct member: b=
Struct.new(:==, :"!=").members # => [:==, :!=]
Pair = Struct.new(:a, :b)
Keyed = Struct.new(:a, :b, keyword_init: true)
Pair.new("a" => 1).to_a # => [1, nil]
Keyed.new("b" => 1).to_a # => [nil, 1]
Pair.new("c" => 1) # raises ArgumentError: unknown keywords: c
Pair.new.send(:initialize_copy, Keyed.new) # raises TypeError: initialize_copy should take same class object
