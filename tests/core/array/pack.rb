[65, 66].pack("C*") # => "AB"
[1, 2].pack("s>l<").bytes # => [0, 1, 2, 0, 0, 0]
["abc"].pack("a5") # => "abc\x00\x00"
["abc"].pack("A5") # => "abc  "
["abc"].pack("m") # => "YWJj\n"
["abc"].pack("m0") # => "YWJj"
[1.5].pack("g").bytes # => [63, 192, 0, 0]
[1].pack("N").bytes # => [0, 0, 0, 1]
[97, 8364].pack("U*") # => "a€"
["616263"].pack("H*") # => "abc"
[1, 2, 3].pack("w*").bytes # => [1, 2, 3]
["a b"].pack("M") # => "a b=\n"
[1].pack("q").size # => 8
["a"].pack("N") # raises TypeError: no implicit conversion of String into Integer
[].pack("N") # raises ArgumentError: too few arguments
[1].pack("y") # raises ArgumentError: unknown pack directive 'y' in 'y'
