# BigDecimal: reading, writing, arithmetic, errors; values are CRuby's, of the library's version 4
require "bigdecimal"

BigDecimal("1e") # raises ArgumentError: invalid value for BigDecimal(): "1e"
BigDecimal.interpret_loosely("1e") # => 0.1e1
BigDecimal("1e+") # raises ArgumentError: invalid value for BigDecimal(): "1e+"
BigDecimal.interpret_loosely("1e+") # => 0.1e1
BigDecimal("e1") # raises ArgumentError: invalid value for BigDecimal(): "e1"
BigDecimal.interpret_loosely("e1") # => 0.0
BigDecimal(".5") # => 0.5e0
BigDecimal.interpret_loosely(".5") # => 0.5e0
BigDecimal("5.") # => 0.5e1
BigDecimal.interpret_loosely("5.") # => 0.5e1
BigDecimal("5.e1") # => 0.5e2
BigDecimal.interpret_loosely("5.e1") # => 0.5e2
BigDecimal("1__2") # raises ArgumentError: invalid value for BigDecimal(): "1__2"
BigDecimal.interpret_loosely("1__2") # => 0.1e1
BigDecimal("1_2") # => 0.12e2
BigDecimal.interpret_loosely("1_2") # => 0.12e2
BigDecimal("_1") # raises ArgumentError: invalid value for BigDecimal(): "_1"
BigDecimal.interpret_loosely("_1") # => 0.0
BigDecimal("1_") # => 0.1e1
BigDecimal.interpret_loosely("1_") # => 0.1e1
BigDecimal("0x10") # raises ArgumentError: invalid value for BigDecimal(): "0x10"
BigDecimal.interpret_loosely("0x10") # => 0.0
BigDecimal("--1") # raises ArgumentError: invalid value for BigDecimal(): "--1"
BigDecimal.interpret_loosely("--1") # => -0.0
BigDecimal("+-1") # raises ArgumentError: invalid value for BigDecimal(): "+-1"
BigDecimal.interpret_loosely("+-1") # => 0.0
BigDecimal("1.2.3") # raises ArgumentError: invalid value for BigDecimal(): "1.2.3"
BigDecimal.interpret_loosely("1.2.3") # => 0.12e1
BigDecimal("1d5") # => 0.1e6
BigDecimal.interpret_loosely("1d5") # => 0.1e6
BigDecimal("1D-5") # => 0.1e-4
BigDecimal.interpret_loosely("1D-5") # => 0.1e-4
BigDecimal(" 1 ") # => 0.1e1
BigDecimal.interpret_loosely(" 1 ") # => 0.1e1
BigDecimal("1 2") # raises ArgumentError: invalid value for BigDecimal(): "1 2"
BigDecimal.interpret_loosely("1 2") # => 0.1e1
BigDecimal("+") # raises ArgumentError: invalid value for BigDecimal(): "+"
BigDecimal.interpret_loosely("+") # => 0.0
BigDecimal("-") # raises ArgumentError: invalid value for BigDecimal(): "-"
BigDecimal.interpret_loosely("-") # => -0.0
BigDecimal("Inf") # raises ArgumentError: invalid value for BigDecimal(): "Inf"
BigDecimal.interpret_loosely("Inf") # => 0.0
BigDecimal("Infinity") # => Infinity
BigDecimal.interpret_loosely("Infinity") # => Infinity
BigDecimal("+Infinity") # => Infinity
BigDecimal.interpret_loosely("+Infinity") # => Infinity
BigDecimal("-Infinity") # => -Infinity
BigDecimal.interpret_loosely("-Infinity") # => -Infinity
BigDecimal("NaN") # => NaN
BigDecimal.interpret_loosely("NaN") # => NaN
BigDecimal("nan") # raises ArgumentError: invalid value for BigDecimal(): "nan"
BigDecimal.interpret_loosely("nan") # => 0.0
BigDecimal("1_000.5_5") # => 0.100055e4
BigDecimal.interpret_loosely("1_000.5_5") # => 0.100055e4
BigDecimal("1._5") # raises ArgumentError: invalid value for BigDecimal(): "1._5"
BigDecimal.interpret_loosely("1._5") # => 0.1e1
BigDecimal("1e1_0") # => 0.1e11
BigDecimal.interpret_loosely("1e1_0") # => 0.1e11
BigDecimal("1e1__0") # raises ArgumentError: invalid value for BigDecimal(): "1e1__0"
BigDecimal.interpret_loosely("1e1__0") # => 0.1e2
BigDecimal("1_e1") # raises ArgumentError: invalid value for BigDecimal(): "1_e1"
BigDecimal.interpret_loosely("1_e1") # => 0.1e1
BigDecimal("") # raises ArgumentError: invalid value for BigDecimal(): ""
BigDecimal("  ") # raises ArgumentError: invalid value for BigDecimal(): "  "
BigDecimal(" 1\n") # => 0.1e1
BigDecimal(nil) # raises TypeError: can't convert nil into BigDecimal
BigDecimal(true) # raises TypeError: can't convert true into BigDecimal
BigDecimal(:a) # raises TypeError: can't convert Symbol into BigDecimal
BigDecimal(Object.new) # raises TypeError: can't convert Object into BigDecimal
BigDecimal(0.1) # => 0.1e0
BigDecimal(0.1,17) # raises ArgumentError: precision too large.
BigDecimal(0.1,5) # => 0.1e0
BigDecimal(1/3r) # raises ArgumentError: can't omit precision for a Rational.
BigDecimal(1/3r,5) # => 0.33333e0
BigDecimal("x", exception: false) # => nil
BigDecimal("1234567901234567.1234567").to_s("3F") # => "1 234 567 901 234 567.123 456 7"
BigDecimal("1234567901234567.1234567").to_s("5F") # => "1 23456 79012 34567.12345 67"
BigDecimal("1234567901234567.1234567").to_s("5E") # => "0.12345 67901 23456 71234 567e16"
BigDecimal("-1234567901234567.1234567").to_s("+5E") # => "-0.12345 67901 23456 71234 567e16"
BigDecimal("1234567901234567.1234567").to_s("+F") # => "+1234567901234567.1234567"
BigDecimal("1234567901234567.1234567").to_s(" 3F") # => " 1 234 567 901 234 567.123 456 7"
BigDecimal("1234567901234567.1234567").to_s(4) # => "0.1234 5679 0123 4567 1234 567e16"
BigDecimal("1").to_s(0) # raises ArgumentError: argument must be positive
BigDecimal("0.00001").to_s("F") # => "0.00001"
BigDecimal("1e10").to_s("F") # => "10000000000.0"
BigDecimal("-0").to_s # => "-0.0"
BigDecimal("-0").to_s("F") # => "-0.0"
BigDecimal("-0").to_s("+") # => "-0.0"
BigDecimal("0").to_s("+") # => "+0.0"
BigDecimal("Infinity").to_s("+F") # => "+Infinity"
BigDecimal("1").frozen? # => true
BigDecimal("1.5")+1 # => 0.25e1
BigDecimal("1.5")+nil # raises TypeError: nil can't be coerced into BigDecimal
BigDecimal("1.5")+"x" # raises TypeError: String can't be coerced into BigDecimal
BigDecimal("1.5")*Object.new # raises TypeError: Object can't be coerced into BigDecimal
BigDecimal("1.5")<=>"x" # => nil
BigDecimal("1.5")<"x" # raises ArgumentError: comparison of BigDecimal with String failed
BigDecimal("1.5")==nil # => false
BigDecimal("1")/0 # => Infinity
BigDecimal("-1")/0 # => -Infinity
BigDecimal("0")/0 # => NaN
BigDecimal("1").div(0) # raises ZeroDivisionError: divided by 0
BigDecimal("NaN").div(1) # raises FloatDomainError: Computation results in 'NaN' (Not a Number)
BigDecimal("Infinity").div(1) # raises FloatDomainError: Computation results in 'Infinity'
BigDecimal("1").div(BigDecimal("Infinity")) # => 0
BigDecimal("NaN").to_i # raises FloatDomainError: Computation results in 'NaN' (Not a Number)
BigDecimal("Infinity").to_i # raises FloatDomainError: Computation results in 'Infinity'
BigDecimal("-Infinity").to_r # raises FloatDomainError: Computation results in '-Infinity'
BigDecimal("NaN").round # raises FloatDomainError: Computation results in 'NaN' (Not a Number)
BigDecimal("NaN").round(1) # => NaN
BigDecimal("Infinity").floor # raises FloatDomainError: Computation results in 'Infinity'
BigDecimal("1.5").round(1.5) # => 0.15e1
BigDecimal("1.5").round(nil) # raises TypeError: no implicit conversion from nil to integer
BigDecimal("1.55").round(1, :half_even) # => 0.16e1
BigDecimal("1.55").round(1, half: :down) # => 0.15e1
BigDecimal("1.55").round(half: "foo") # raises ArgumentError: invalid rounding mode (foo)
BigDecimal("1.55").round(1, :foo) # raises ArgumentError: invalid rounding mode (foo)
BigDecimal("1.55").round(1, 9) # raises ArgumentError: invalid rounding mode (9)
BigDecimal.mode(5) # => 0
BigDecimal.mode(256, 9) # raises ArgumentError: invalid rounding mode (9)
BigDecimal.mode(1024) # raises TypeError: first argument for BigDecimal.mode invalid
BigDecimal.mode("x") # raises TypeError: no implicit conversion of String into Integer
BigDecimal.mode(1, 1) # raises ArgumentError: second argument must be true or false
BigDecimal.mode(255) # => 0
BigDecimal.limit(-1) # raises ArgumentError: argument must be positive
BigDecimal("1.5").hash == BigDecimal("1.50").hash # => true
BigDecimal("123.456").split # => [1, "123456", 10, 3]
BigDecimal("NaN").split # => [0, "NaN", 10, 0]
BigDecimal("-0").split # => [-1, "0", 10, 0]
BigDecimal("-Infinity").split # => [-1, "Infinity", 10, 0]
BigDecimal("1e400").to_f # => Infinity
BigDecimal("1e-400").to_f # => 0.0
BigDecimal("123.456")._dump # => "18:0.123456e3"
BigDecimal._load("27:0.123e3") # => 0.123e3
BigDecimal._load("xx") # raises TypeError: load failed: invalid character in the marshaled string
BigDecimal("1.5").coerce(2) # => [0.2e1, 0.15e1]
BigDecimal("1.5").coerce("2") # raises TypeError: String can't be coerced into BigDecimal
BigDecimal("1.5").coerce(nil) # raises TypeError: nil can't be coerced into BigDecimal
BigDecimal("1.5").coerce(1/3r) # => [0.33333333333333333333333333333333e0, 0.15e1]
1+BigDecimal("1.5") # => 0.25e1
1.0+BigDecimal("1.5") # => 0.25e1
(1/3r)+BigDecimal("1.5") # => 0.183333333333333333333333333333333e1
BigDecimal("1.5")+(1/3r) # => 0.183333333333333333333333333333333e1
BigDecimal("1.5")+0.1 # => 0.16e1
BigDecimal.new("1") # raises NoMethodError: undefined method 'new' for class BigDecimal
BigDecimal.allocate # raises TypeError: allocator undefined for BigDecimal
BigDecimal("1").dup.equal?(BigDecimal("1")) # => false
BigDecimal("1e-20").precision_scale # => [20, 20]
BigDecimal("1e20").precision_scale # => [21, 0]
BigDecimal("12.5").precision_scale # => [3, 1]
BigDecimal("-0").sign # => -1
BigDecimal("2").power(-1) # => 0.5e0
BigDecimal("2")**0.5 # => 0.14142135623730950488016887242097e1
BigDecimal("2")**nil # raises TypeError: wrong argument type NilClass
BigDecimal("2")**"x" # raises TypeError: String can't be coerced into BigDecimal
BigDecimal("-2")**0.5 # raises Math::DomainError: Computation results in complex number
BigDecimal("2").sqrt(-1) # raises ArgumentError: Negative precision for sqrt
BigDecimal("-2").sqrt(1) # raises FloatDomainError: sqrt of negative value
BigDecimal("2").sqrt(20) # => 0.14142135623730950488e1
BigDecimal("1e1000000000000000000000") # => Infinity
BigDecimal("1e-1000000000000000000000") # => 0.0
BigDecimal("7").divmod(BigDecimal("-2")) # => [-4, -0.1e1]
BigDecimal("7").remainder(-2) # => 0.1e1
BigDecimal("7")%-2 # => -0.1e1
BigDecimal("7")%0 # raises ZeroDivisionError: divided by 0
BigDecimal("1").add(2) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
BigDecimal("1").add(2,-1) # raises ArgumentError: negative precision
BigDecimal("1").add(2,"x") # raises TypeError: no implicit conversion of String into Integer
BigDecimal("1").add("x",1) # raises TypeError: String can't be coerced into BigDecimal
BigDecimal("1").add(nil,1) # raises TypeError: nil can't be coerced into BigDecimal
BigDecimal("1.23456").add(2,3) # => 0.323e1
BigDecimal("123").truncate(-1) # => 0.12e3
BigDecimal("123.456").truncate(1) # => 0.1234e3
BigDecimal("123.456").truncate # => 123
BigDecimal("1").nonzero? # => 0.1e1
BigDecimal("0").nonzero? # => nil
BigDecimal("1.0").to_s # => "0.1e1"
BigDecimal("1").inspect # => "0.1e1"
BigDecimal("3.14").to_r # => (157/50)
BigDecimal("1.2").to_d # raises NoMethodError: undefined method 'to_d' for an instance of BigDecimal
Integer(BigDecimal("1.5")) # => 1
Float(BigDecimal("1.5")) # => 1.5
Rational(BigDecimal("1.5")) # => (3/2)
BigDecimal(BigDecimal("1.5")) # => 0.15e1
BigDecimal(1+0i) # => 0.1e1
BigDecimal(1+1i) # raises ArgumentError: Unable to make a BigDecimal from non-zero imaginary number
BigDecimal("0.1")==0.1 # => true
BigDecimal("1.5").quo(3) # => 0.5e0
BigDecimal("1.5").quo(7,5) # => 0.21429e0
BigDecimal("1.5").div(7,5) # => 0.21429e0
BigDecimal("1.5").div(7,0) # => 0.21428571428571428571428571428571e0
BigDecimal("1.5").div(7,-1) # raises ArgumentError: negative precision
