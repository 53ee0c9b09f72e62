# A Rational's Float, and Integer#fdiv: the quotient of the Floats where the divisor is one,
# even if that is not the nearest Float.
# needs: 3.4
near = Rational(43247750562290075, 158329674399744)
near.to_f # => 273.15
near - 273.15 # => 0.0
near == 273.15 # => true
43247750562290075.fdiv(158329674399744) # => 273.15
-43247750562290075.fdiv(158329674399744) # => -273.15

# Behind a divisor that no Float holds all digits count, up to those of 64 bits.
(2**62 - 1).fdiv(2**53 - 1) # => 512.0000000000001
(2**62 - 1).fdiv(2**53) # => 512.0
(2**62 - 1).fdiv(2**53 + 1) # => 511.99999999999994
(10**400).fdiv(10**399) # => 10.0
(10**400).fdiv(7) # => Infinity
(-10**60).fdiv(3 * 10**45 + 1) # => -333333333333333.3
(10**30 + 1).fdiv(3 * 10**300) # => 3.333333333333333e-271
(2**70).fdiv(2**62 - 3) # => 256.0
(2**70 + 1).fdiv(3) # => 3.935305402391371e+20

# Quotients far from both ends of Floats.
(10**50).fdiv(10**400) # => 0.0
(10**400).fdiv(10**50) # => Infinity
(3 * 10**700).fdiv(7 * 10**690 + 1) # => 4285714285.714286

[0.fdiv(5), 5.fdiv(0), -5.fdiv(0), (2**70).fdiv(0), 0.fdiv(2**70)] # => [0.0, Infinity, -Infinity, Infinity, 0.0]
0.fdiv(0).nan? # => true
