# Integer#fdiv where no Float can hold the Integer.
BIG = 10**400
BIG.fdiv(1e100) # => 1.0e+300
(-BIG).fdiv(1e100) # => -1.0e+300
BIG.fdiv(-2.5e200) # => -3.9999999999999995e+199
BIG.fdiv(1e-10) # => Infinity
BIG.fdiv(1e305) # => 1.0e+95
BIG.fdiv(1e90) # => Infinity
(10**310).fdiv(1e10) # => 1.0e+300
(2**1100).fdiv(2.0**500) == 2.0**600 # => true
BIG.fdiv(5e-324) # => Infinity
BIG.fdiv(Float::NAN) # => NaN
BIG.fdiv(Float::INFINITY) # raises FloatDomainError: Infinity
BIG.fdiv(-Float::INFINITY) # raises FloatDomainError: -Infinity
BIG.fdiv(0.0) # raises ZeroDivisionError: divided by 0
BIG.fdiv(-0.0) # raises ZeroDivisionError: divided by 0
BIG.quo(1e100) # => 1.0e+300
(10**300).fdiv(1e-10) # => Infinity
(2**70).fdiv(0.0) # => Infinity
(2**70).fdiv(1e10) # => 118059162071.74113
