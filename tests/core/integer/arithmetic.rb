7 + 3 # => 10
7 - 10 # => -3
7 * -3 # => -21
7 / 2 # => 3
7 % 4 # => 3
2**10 # => 1024
2**-2 # => (1/4)
2**0.5 # => 1.4142135623730951
(-8)**(1.0 / 3) # => (1.0000000000000002+1.7320508075688772i)
10.pow(3, 7) # => 6
10.divmod(3) # => [3, 1]
10.fdiv(4) # => 2.5
-7.abs # => 7
5.succ # => 6
5.pred # => 4
-5.magnitude # => 5
6.gcd(4) # => 2
6.lcm(4) # => 12
6.gcdlcm(4) # => [2, 12]
0**0 # => 1
0.0**0 # => 1.0
4.ceildiv(3) # => 2
1 / 0 # raises ZeroDivisionError: divided by 0
1 + nil # raises TypeError: nil can't be coerced into Integer
10 <=> 9 # => 1
3.zero? # => false
0.zero? # => true
3.positive? # => true
-3.negative? # => true
7.odd? # => true
7.pred.even? # => true
255.to_s(16) # => "ff"
"%b" % 10 # => "1010"
5.bit_length # => 3
255[0] # => 1
5[0..1] # => 1
5 & 3 | 8 ^ 1 # => 8
~5 # => -6
1 << 3 # => 8
-16 >> 2 # => -4
1 << -1 # => 0
5.digits # => [5]
1234.digits(100) # => [34, 12]
-1.digits # raises Math::DomainError: out of domain
3.to_f # => 3.0
65.chr # => "A"
233.chr(Encoding::UTF_8) # => "é"
300.chr # raises RangeError: 300 out of char range
5.clamp(1, 3) # => 3
5.clamp(..3) # => 3
5.between?(1, 5) # => true
3.times.to_a # => [0, 1, 2]
10.size # => 8
Integer.sqrt(17) # => 4
Integer.sqrt(-1) # raises Math::DomainError: Numerical argument is out of domain - "isqrt"
5.coerce(2.5) # => [2.5, 5.0]
1.integer? # => true
1.finite? # => true
3.numerator # => 3
6.allbits?(2) # => true
6.anybits?(1) # => false
6.nobits?(1) # => true
