# How many `min(n)` and the like keep is looked at before any element.
stop = proc { raise "called" }

[1].max_by(2**63 - 1, &stop) # raises ArgumentError: too big size
[1].each_entry.max_by(2**61, &stop) # raises ArgumentError: too big size
[1].each_entry.min(2**62 - 1, &stop) # raises ArgumentError: too big size
[1].max(2**61) # raises ArgumentError: too big size
[3, 1, 2].max_by(2**58, &stop) # raises ArgumentError: array size too big
(1..3).max(2**62 - 1, &stop) # raises ArgumentError: too big size
(1..3).min_by(2**64, &stop) # raises RangeError: bignum too big to convert into 'long'
[2, 1].max(-64, &stop) # raises ArgumentError: negative size (-64)
[2, 1].each_entry.min_by(-1, &stop) # raises ArgumentError: negative size (-1)
[2, 1].min_by({}, &stop) # raises TypeError: no implicit conversion of Hash into Integer
[2, 1].max_by(0, &stop) # => []
[2, 1].max(0, &stop) # => []
[2, 1].min(0, &stop) # => []
(1..2).min_by(0, &stop) # => []
{ a: 1 }.max(0, &stop) # => []
