Math.sqrt(16) # => 4.0
Math.cbrt(27) # => 3.0
Math.sin(0) # => 0.0
Math.cos(0) # => 1.0
Math.atan2(1, 1) # => 0.7853981633974483
Math.log(Math::E) # => 1.0
Math.log(8, 2) # => 3.0
Math.log2(8) # => 3.0
Math.log10(1000) # => 3.0
Math.exp(0) # => 1.0
Math.hypot(3, 4) # => 5.0
Math::PI # => 3.141592653589793
Math.gamma(5) # => 24.0
Math.erf(0) # => 0.0
Math.log(2**1000) # => 693.1471805599454
Math.sqrt(-1) # raises Math::DomainError: Numerical argument is out of domain - sqrt
Math.sqrt("a") # raises TypeError: can't convert String into Float
Math.log(-1) # raises Math::DomainError: Numerical argument is out of domain - log
Math.sqrt(nil) # raises TypeError: can't convert nil into Float
