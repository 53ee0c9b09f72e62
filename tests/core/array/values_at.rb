a = [1, 2, 3]
a.values_at(0..1, -1, 1..5, 3..4, 4..9) # => [1, 2, 3, 2, 3, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil]
a.values_at(5..6, 1...1, -9..2) # raises RangeError: -9..2 out of range
a.values_at(0..2**61) # raises NoMemoryError: failed to allocate memory
(0..9999).to_a.values_at(1..2000).sum # => 2001000
