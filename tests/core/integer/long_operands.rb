# Operands of nearly the same length whose bits come in long runs.
a = (1 << 10_000) - (1 << 5_000) - 12_345
b = (1 << 9_975) - (1 << 4_987) - 12_345
a.gcd(b) # => 15
a.lcm(b) == a / 15 * b # => true
Rational(a, b) == Rational(a / 15, b / 15) # => true
a.gcdlcm(b) == [15, a.lcm(b)] # => true
(a * 3**500).gcd(b * 3**400) == 15 * 3**400 * (a / 15 * 3**100).gcd(b / 15) # => true

# Floats round once, whatever lies below the upper words.
((1 << 200) + (1 << 147)).to_f == 2.0**200 # => true
((1 << 200) + (1 << 147) + 1).to_f == (2.0**200).next_float # => true
(-(1 << 200) - (1 << 147) - 1).to_f == -(2.0**200).next_float # => true
((1 << 1024) - 1).to_f # => Infinity
