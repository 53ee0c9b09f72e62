def m(a, b = a * 2, *c, d) = [a, b, c, d]
m(1, 2) # => [1, 2, [], 2]
m(1, 2, 3) # => [1, 2, [], 3]
m(1, 2, 3, 4, 5) # => [1, 2, [3, 4], 5]
m(1) # raises ArgumentError: wrong number of arguments (given 1, expected 2+)
def n(a, b = (return :early; 1)) = [a, b]
n(1) # => :early
n(1, 2) # => [1, 2]
def o(a, (b, *c), d) = [a, b, c, d]
o(1, [2, 3, 4], 5) # => [1, 2, [3, 4], 5]
o(1, 2, 3) # => [1, 2, [], 3]
def none = 1
none(1) # raises ArgumentError: wrong number of arguments (given 1, expected 0)
def two_to_three(a, b, c = 1) = 1
two_to_three # raises ArgumentError: wrong number of arguments (given 0, expected 2..3)
def many(a, *b) = 1
many # raises ArgumentError: wrong number of arguments (given 0, expected 1+)
