Integer("42") # => 42
Integer(3.99) # => 3
Integer("0x1f", 16) # => 31
Float("1.5") # => 1.5
Float(3) # => 3.0
String(nil) # => ""
Array(nil) # => []
Array([1]) # => [1]
Array(1..2) # => [1, 2]
Hash({ a: 1 }) # => {a: 1}
Rational("1/3") # => (1/3)
Complex(1, 2) # => (1+2i)
Integer([]) # raises TypeError: can't convert Array into Integer
Integer(nil) # raises TypeError: can't convert nil into Integer
Integer("abc") # raises ArgumentError: invalid value for Integer(): "abc"
Integer(Float::NAN) # raises FloatDomainError: NaN
Float(nil) # raises TypeError: can't convert nil into Float
Float("x") # raises ArgumentError: invalid value for Float(): "x"
Hash(1) # raises TypeError: can't convert Integer into Hash
Array(BasicObject.new) # raises NoMethodError: undefined method 'inspect' for an instance of BasicObject
Rational("x") # raises ArgumentError: invalid value for convert(): "x"
Integer(Object.new) # raises TypeError: can't convert Object into Integer
