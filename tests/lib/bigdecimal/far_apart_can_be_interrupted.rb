# Arithmetic with numbers whose digits lie far apart leaves the lock, and can be interrupted.
require "bigdecimal"
require "timeout"

one, tiny = BigDecimal("1"), BigDecimal("3e-90000000")
Timeout.timeout(0.2) { one / tiny } # raises Timeout::Error: execution expired
Timeout.timeout(0.2) { one + tiny } # raises Timeout::Error: execution expired
Timeout.timeout(0.2) { one % tiny } # raises Timeout::Error: execution expired
Timeout.timeout(0.2) { one.div(tiny) } # raises Timeout::Error: execution expired
Timeout.timeout(0.2) { BigDecimal("2").sqrt(9_000_000) } # raises Timeout::Error: execution expired
(one + BigDecimal("3e-9")).to_s # => "0.1000000003e1"
(one / BigDecimal("3e-9")).round(3).to_s # => "0.333333333333e9"
(one % BigDecimal("3e-9")).to_s # => "0.1e-8"
