# Arithmetic with long numerators and denominators leaves the lock, and a thread in the middle of it can be killed.
require "timeout"

big, other = 3**400_000, 7**200_000
ticks = 0
ticker = Thread.new { loop { sleep 0.001; ticks += 1 } }
# On a busy machine the other thread may not be given a processor the first time.
ran_beside = ->(&work) { 10.times.any? { before = ticks; work.call; ticks > before } }
x, y = nil
ran_beside.call { x = Rational(big, other) } # => true
y = Rational(other + 2, big)
ran_beside.call { x + y } # => true
ran_beside.call { x - y } # => true
ran_beside.call { x * y } # => true
ran_beside.call { x / y } # => true
ran_beside.call { x <=> y } # => true
ran_beside.call { big.lcm(other) } # => true
ticker.kill
(x * y).numerator == other + 2 && (x * y).denominator == other # => true
(x / x) # => (1/1)
(x - x) # => (0/1)
(x <=> y) # => 1

Timeout.timeout(0.2) { Complex(1r, 2**70)**2**40 } # raises Timeout::Error: execution expired
