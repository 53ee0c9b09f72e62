require "openssl"
a = OpenSSL::BN.new("123456789012345678901234567890")
a # => #<OpenSSL::BN:0xXX>
OpenSSL::BN.new("ff", 16).to_i # => 255
OpenSSL::BN.new("\x01\x00", 2).to_i # => 256
2.to_bn + 3 # => #<OpenSSL::BN:0xXX>
[a.to_s, a.to_s(16), a.to_s(2).bytesize, a.num_bits, a.num_bytes] # => ["123456789012345678901234567890", "018EE90FF6C373E0EE4E3F0AD2", 13, 97, 13]
(a * a).to_i == 123456789012345678901234567890**2 # => true
a / 7 # => [#<OpenSSL::BN:0xXX>, #<OpenSSL::BN:0xXX>]
a % 7 # => #<OpenSSL::BN:0xXX>
-a # => #<OpenSSL::BN:0xXX>
+a == a # => true
a - 1 < a # => true
a ** 2 == a.sqr # => true
OpenSSL::BN.new(3).mod_exp(200, 13) # => #<OpenSSL::BN:0xXX>
OpenSSL::BN.new(3).mod_inverse(7) # => #<OpenSSL::BN:0xXX>
OpenSSL::BN.new(4).mod_inverse(8) # raises OpenSSL::BNError
OpenSSL::BN.new(3).mod_add(5, 7) # => #<OpenSSL::BN:0xXX>
OpenSSL::BN.new(3).mod_sub(5, 7) # => #<OpenSSL::BN:0xXX>
OpenSSL::BN.new(3).mod_mul(5, 7) # => #<OpenSSL::BN:0xXX>
OpenSSL::BN.new(3).mod_sqr(7) # => #<OpenSSL::BN:0xXX>
OpenSSL::BN.new(12).gcd(18) # => #<OpenSSL::BN:0xXX>
a << 3 # => #<OpenSSL::BN:0xXX>
a >> 3 # => #<OpenSSL::BN:0xXX>
a.bit_set?(1) # => true
OpenSSL::BN.new(1).set_bit!(4) # => #<OpenSSL::BN:0xXX>
OpenSSL::BN.new(31).clear_bit!(4) # => #<OpenSSL::BN:0xXX>
OpenSSL::BN.new(255).mask_bits!(4) # => #<OpenSSL::BN:0xXX>
OpenSSL::BN.new(7).prime? # => true
OpenSSL::BN.new(9).prime_fasttest? # => false
OpenSSL::BN.generate_prime(64).prime? # => true
OpenSSL::BN.rand(100).num_bits # => 100
OpenSSL::BN.rand_range(10).between?(0, 9) # => true
[a.zero?, a.odd?, a.one?, a.negative?] # => [false, false, false, false]
a.coerce(5) # => [5, 123456789012345678901234567890]
5 + OpenSSL::BN.new(3) # => 8
[a <=> 5, a.ucmp(-a), a == 5, a.eql?(a.dup), a.hash == a.dup.hash] # => [1, 0, false, true, true]
OpenSSL::BN.new("1").to_der rescue $!.class # => NoMethodError
OpenSSL::BN.new(nil) # raises ArgumentError
OpenSSL::BN.new("z", 16) # raises OpenSSL::BNError
OpenSSL::BN.new("1", 3) # raises ArgumentError
a / 0 # raises OpenSSL::BNError
OpenSSL::BN.new(3).freeze.set_bit!(1) # raises FrozenError
OpenSSL::BN.new(0x1234).to_s(0).unpack1("H*") # => "000000021234"
-5.to_bn.abs # => #<OpenSSL::BN:0xXX>
OpenSSL::BN.new(-5).abs # => #<OpenSSL::BN:0xXX>
