"12abc".to_i # => 12
"abc".to_i # => 0
"0x1f".to_i(16) # => 31
"z".to_i(36) # => 35
"1_000".to_i # => 1000
" 12".to_i # => 12
"1e3".to_f # => 1000.0
"1.5abc".to_f # => 1.5
".5".to_f # => 0.5
"1e".to_f # => 1.0
"0b101".to_i(0) # => 5
"ff".hex # => 255
"777".oct # => 511
"0x1f".oct # => 31
"1/3".to_r # => (1/3)
"1.5".to_r # => (3/2)
"1+2i".to_c # => (1+2i)
"99999999999999999999".to_i # => 99999999999999999999
Integer("0b11", exception: false) # => 3
Integer("z", 36) # => 35
Integer("12abc") # raises ArgumentError: invalid value for Integer(): "12abc"
Integer("") # raises ArgumentError: invalid value for Integer(): ""
Integer(nil) # raises TypeError: can't convert nil into Integer
Integer("1__0") # raises ArgumentError: invalid value for Integer(): "1__0"
Integer("  12\n") # => 12
Float("1e3") # => 1000.0
Float("abc") # raises ArgumentError: invalid value for Float(): "abc"
Float("") # raises ArgumentError: invalid value for Float(): ""
Integer("abc", exception: false) # => nil
Float("1.", exception: false) # => 1.0
"1".to_i(1) # raises ArgumentError: invalid radix 1
Rational("0.75") # => (3/4)
Complex("1+i") # => (1+1i)
