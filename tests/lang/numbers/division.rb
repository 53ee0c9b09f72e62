7 / 2 # => 3
-7 / 2 # => -4
7 / -2 # => -4
7 % 3 # => 1
-7 % 3 # => 2
7 % -3 # => -2
7.remainder(-3) # => 1
-7.remainder(3) # => -1
7.divmod(-2) # => [-4, -1]
7.fdiv(2) # => 3.5
1 / 0 # raises ZeroDivisionError: divided by 0
1 % 0 # raises ZeroDivisionError: divided by 0
1.0 / 0 # => Infinity
-1.0 / 0 # => -Infinity
(0.0 / 0).nan? # => true
1 / 0.0 # => Infinity
7.5.divmod(2) # => [3, 1.5]
-7.5 % 2 # => 0.5
1.divmod(0) # raises ZeroDivisionError: divided by 0
1.0.divmod(0) # raises ZeroDivisionError: divided by 0
