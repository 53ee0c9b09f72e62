a = [1, 2, 3, 4]
a.take(2) # => [1, 2]
a.drop(3) # => [4]
a.take_while { |x| x < 3 } # => [1, 2]
a.drop_while { |x| x < 3 } # => [3, 4]
a.take(-1) # raises ArgumentError: attempt to take negative size
a.drop(-1) # raises ArgumentError: attempt to drop negative size
