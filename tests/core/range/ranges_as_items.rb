# A Range is no item of a Range of numbers, though cover? takes it.
(0..9).include?(1..2) # => false
(..0).member?(-2..-1) # => false
(0..).include?(0..1) # => false
(0..9) === (1..2) # => false
(0..9).cover?(1..2) # => true
# Steps show their Range as text.
(1r / 2..3).step(1).inspect # => "((1/2..3).step(1))"
