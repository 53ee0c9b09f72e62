# Integer() and Float() with `exception: false`, and texts of every length.

[Integer("12", exception: false), Integer("zz", exception: false), Integer("zz", 36, exception: false)] # => [12, nil, 1295]
Integer("12", 40, exception: false) # raises ArgumentError: invalid radix 40
[Integer(nil, exception: false), Integer("", exception: false), Integer(Object.new, exception: false), Integer(1.9, exception: false), Integer("1_000", exception: false)] # => [nil, nil, nil, 1, 1000]
Integer("9" * 70, exception: false) # => 9999999999999999999999999999999999999999999999999999999999999999999999
Integer("9" * 70 + "x", exception: false) # => nil
Integer("z") # raises ArgumentError: invalid value for Integer(): "z"
Integer("1", 1) # raises ArgumentError: invalid radix 1
Integer("1", -40) # raises ArgumentError: invalid radix 40
Integer("12".encode("UTF-16LE"), exception: false) # raises Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16LE
Integer("12".encode("UTF-16LE")) # raises Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16LE
Integer("12", exception: 1) # raises ArgumentError: expected true or false as exception: 1
[Float("1.5", exception: false), Float("x", exception: false), Float("1\0", exception: false)] # => [1.5, nil, nil]
