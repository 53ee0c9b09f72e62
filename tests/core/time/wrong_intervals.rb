# Intervals that are none: too long, negative, no numbers.
sleeping = ->(time) { sleep(time) }
sleeping.(Float::NAN) # raises RangeError: NaN out of Time range
sleeping.(Float::INFINITY) # raises RangeError: Inf out of Time range
sleeping.(-Float::INFINITY) # raises ArgumentError: time interval must not be negative
sleeping.(2**70) # raises RangeError: bignum too big to convert into 'long'
sleeping.(-2**70) # raises RangeError: bignum too big to convert into 'long'
sleeping.(Rational(2**70, 3)) # raises RangeError: bignum too big to convert into 'long'
sleeping.(Rational(-1, 3)) # raises ArgumentError: time interval must not be negative
sleeping.(-1) # raises ArgumentError: time interval must not be negative
sleeping.("x") # raises TypeError: can't convert String into time interval
sleeping.(1i) # raises TypeError: can't convert Complex into time interval
sleeping.(true) # raises TypeError: can't convert TrueClass into time interval
# The longest that there is.
longest = Thread.new { sleep(2**63 - 1) }
Thread.pass until longest.stop?
longest.kill.join.status # => false
reader, writer = IO.pipe
IO.select([reader], nil, nil, -2**70) # raises RangeError: bignum too big to convert into 'long'
IO.select([reader], nil, nil, Rational(2**70, 3)) # raises RangeError: bignum too big to convert into 'long'
IO.select([reader], nil, nil, 1i) # raises TypeError: can't convert Complex into time interval
reader.timeout = -2**70 # raises RangeError: bignum too big to convert into 'long'
reader.timeout = 2**63 - 1 # => 9223372036854775807
reader.wait_readable(2**70) # raises RangeError: bignum too big to convert into 'long'
mutex = Mutex.new.tap(&:lock)
mutex.sleep(-2**70) # raises RangeError: bignum too big to convert into 'long'
ConditionVariable.new.wait(mutex, Rational(2**70, 3)) # raises RangeError: bignum too big to convert into 'long'
mutex.locked? # => true
IO.select([reader], nil, nil, Rational(1, 1000)) # => nil
IO.select([reader], nil, nil, 0.001) # => nil
