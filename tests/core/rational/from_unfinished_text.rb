# An exponent without digits is no part of the number.
Rational("1e") # raises ArgumentError: invalid value for convert(): "1e"
Rational("1/2e+") # raises ArgumentError: invalid value for convert(): "1/2e+"
Rational("1e", exception: false) # => nil
"1e".to_r # => (1/1)
"3/4e-".to_r # => (3/4)
Rational("1e2") # => (100/1)
