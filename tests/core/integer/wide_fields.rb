# Integer#[] with an offset and a size: bits that the number does not have.
BIG = 10**400
BIG[0, 2000] == BIG # => true
BIG[5, 1200].bit_length # => 1199
BIG[-3, 1400] == BIG << 3 # => true
BIG[1300, 100] # => 458147833
BIG[1400, 5] # => 0
BIG[2**64, 3] # => 0
BIG[3..2000] == BIG >> 3 # => true
BIG[100, 64] # => 0
(-BIG)[1300, 8] # => 6
(-BIG)[-2, 10] # => 0
5[2**64, 3] # => 0
-5[2**64, 3] # => 7
5[1, -(2**64)] # => 2
5[0, 100] # => 5
BIG[0, nil] # raises TypeError: no implicit conversion of nil into Integer
BIG[0, "x"] # raises TypeError: no implicit conversion of String into Integer
