# Numbers that are no small Integers any more, where the runtime counts or names positions.
Thread.current.backtrace(2**62) # => nil
Thread.current.backtrace(0, 2**62).empty? # => false
Thread.current.backtrace_locations(0, 2**63 - 1).empty? # => false
Thread.current.backtrace(2**62, 0) # => []
caller(2**62) # => nil
$. = 2**62 # raises RangeError: integer 4611686018427387904 too big to convert to 'int'

require "bigdecimal"
BigDecimal("1e4611686018427387904").precision # => 4611686018427387905
BigDecimal("1e-4611686018427387905").scale # => 4611686018427387905
BigDecimal("1e-4611686018427387905").precision_scale # => [4611686018427387905, 4611686018427387905]
