1r / 3 + 1r / 6 # => (1/2)
Rational(3, 6) # => (1/2)
Rational("2/4") # => (1/2)
Rational(1.5) # => (3/2)
3.to_r # => (3/1)
0.5.to_r # => (1/2)
(1r / 3).round(2) # => (33/100)
(7r / 2).floor # => 3
(7r / 2).ceil # => 4
(7r / 2).round # => 4
(5r / 2).round(half: :even) # => 2
(1r / 3).to_f # => 0.3333333333333333
Rational(1, 3) ** 2 # => (1/9)
Rational(1, 3) <=> 0.3 # => 1
Rational(4, 2) == 2 # => true
1r / 3 * 3 # => (1/1)
(1r / 3).inspect # => "(1/3)"
(1r / 3).to_s # => "1/3"
Rational(1, 0) # raises ZeroDivisionError: divided by 0
1r / 0 # raises ZeroDivisionError: divided by 0
3.quo(2) # => (3/2)
Rational(7, 3).divmod(1) # => [2, (1/3)]
Rational(-7, 3).truncate # => -2
