# What pack says of arguments that are no numbers.
[nil].pack("U") # raises TypeError: no implicit conversion of nil into Integer
[Float::NAN].pack("U*") # raises FloatDomainError: NaN
[-Float::INFINITY].pack("U") # raises FloatDomainError: -Infinity
[97.9].pack("U") # => "a"
