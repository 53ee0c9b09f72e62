# Zero to the power of a Float is decided by its sign, one to any power is one.
0**Float::NAN # => 0.0
0**-1.5 # => Infinity
0**0.0 # => 1.0
0**2.5 # => 0.0
1**Float::NAN # => 1.0
