add = ->(a, b, c) { a + b + c }
add.curry[1][2][3] # => 6
add.curry.(1, 2).(3) # => 6
add.curry(2) # raises ArgumentError: wrong number of arguments (given 2, expected 3)
proc { |a, b| [a, b] }.curry[1][2] # => [1, 2]
->(*a) { a }.curry(3)[1][2][3] # => [1, 2, 3]
->(a, b = 2) { [a, b] }.curry[1] # => [1, 2]
