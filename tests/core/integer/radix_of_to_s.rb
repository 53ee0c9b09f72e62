# A base is a C int first.
10.to_s(2**31) # raises RangeError: integer 2147483648 too big to convert to 'int'
(2**70).to_s(-2**62) # raises RangeError: integer -4611686018427387904 too small to convert to 'int'
10.to_s(2**64) # raises RangeError: bignum too big to convert into 'long'
10.to_s(37) # raises ArgumentError: invalid radix 37
10.inspect(2) # => "1010"
