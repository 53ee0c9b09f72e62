# Times of files that are no times, or no C long of seconds; nil for one alone is none.
require "tempfile"
file = Tempfile.new("times")
path = file.path
set = ->(time) { File.utime(time, time, path) && File.mtime(path).to_r }
set.(Rational(3, 2)) # => (3/2)
set.(1.25) # => (5/4)
set.(-1.5) # => (-3/2)
set.(Rational(-1, 3)) # => (-166666667/500000000)
set.(Time.at(5)) # => (5/1)
set.(Float::NAN) # raises RangeError: NaN out of Time range
set.(Float::INFINITY) # raises RangeError: Inf out of Time range
set.(-Float::INFINITY) # raises RangeError: -Inf out of Time range
set.(1e20) # raises RangeError: 100000000000000000000.000000 out of Time range
set.(2**70) # raises RangeError: bignum too big to convert into 'long'
set.(-2**70) # raises RangeError: bignum too big to convert into 'long'
set.(2**63) # raises RangeError: bignum too big to convert into 'long'
set.(Rational(2**70, 3)) # raises RangeError: bignum too big to convert into 'long'
set.("x") # raises TypeError: can't convert String into time
set.(1i) # raises TypeError: can't convert Complex into time
set.(true) # raises TypeError: can't convert TrueClass into time
set.(Object.new) # raises TypeError: can't convert Object into time
File.utime(1, nil, path) # raises TypeError: can't convert NilClass into time
File.utime(nil, 1, path) # raises TypeError: can't convert NilClass into time
File.lutime(2**70, 0, path) # raises RangeError: bignum too big to convert into 'long'
set.(Time.at(2**70)) # raises ArgumentError: time out of system range
File.mtime(path).to_i # => 5
