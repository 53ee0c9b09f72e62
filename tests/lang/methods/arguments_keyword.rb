def k(a, b: 2, c:, **rest) = [a, b, c, rest]
k(1, c: 3) # => [1, 2, 3, {}]
k(1, c: 3, b: 4, d: 5) # => [1, 4, 3, {d: 5}]
k(1) # raises ArgumentError: missing keyword: :c
k(c: 1) # raises ArgumentError: wrong number of arguments (given 0, expected 1; required keyword: c)
def only(a:, b:) = [a, b]
only # raises ArgumentError: missing keywords: :a, :b
only(a: 1, b: 2, c: 3) # raises ArgumentError: unknown keyword: :c
only(a: 1, b: 2, c: 3, d: 4) # raises ArgumentError: unknown keywords: :c, :d
only({ a: 1, b: 2 }) # raises ArgumentError: wrong number of arguments (given 1, expected 0; required keywords: a, b)
def none(**nil) = 1
none(a: 1) # raises ArgumentError: no keywords accepted
def last(a, b = {}) = [a, b]
last(1, x: 2) # => [1, {x: 2}]
def positional(a) = a
positional(x: 1) # => {x: 1}
def depends(a, b: a + 1, c: b + 1) = [a, b, c]
depends(1) # => [1, 2, 3]
