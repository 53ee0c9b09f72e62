# How many arguments `curry` waits for is a C int, or nil.
open = proc { |x| x }
pair = ->(x, y) { [x, y] }
rest = ->(*a) { a }

open.curry(2**63 - 1) # raises RangeError: integer 9223372036854775807 too big to convert to 'int'
open.curry(2**62) # raises RangeError: integer 4611686018427387904 too big to convert to 'int'
rest.curry(2**64) # raises RangeError: bignum too big to convert into 'long'
rest.curry(2**31) # raises RangeError: integer 2147483648 too big to convert to 'int'
open.curry(-2**31 - 1) # raises RangeError: integer -2147483649 too small to convert to 'int'
pair.curry(2**31) # raises RangeError: integer 2147483648 too big to convert to 'int'
pair.curry(-1) # raises ArgumentError: wrong number of arguments (given -1, expected 2)
rest.curry(-1) # raises ArgumentError: wrong number of arguments (given -1, expected 0+)
pair.curry(3) # raises ArgumentError: wrong number of arguments (given 3, expected 2)
->(x, y = 1) {}.curry(3) # raises ArgumentError: wrong number of arguments (given 3, expected 1..2)
pair.curry(nil)[1][2] # => [1, 2]
open.curry(nil)[1] # => 1
rest.curry(nil) # => #<Proc:0xXX (lambda)>
rest.curry(2)[1][2] # => [1, 2]
open.curry(1.9)[1] # => 1
open.curry("1") # raises TypeError: no implicit conversion of String into Integer
method(:Array).curry(nil)[1] # => [1]
