# Algorithms in C below Digest::Base, by ruby/digest.h.
require_relative "fixtures/build"
require "digest"
load_c("digests")
Digest::Sum.hexdigest("abc") # => "0001786200000003"
Digest::Sum.digest("") # => "\x00\x00\x00\x00\x00\x00\x00\x00"
sum = Digest::Sum.new
[sum.digest_length, sum.block_length, sum.length, sum.count] # => [8, 64, 8, 0]
(sum << "a").update("bc").equal?(sum) # => true
[sum.count, sum.hexdigest, sum.count, sum.to_s, sum == "0001786200000003", sum == Digest::Sum.new.update("abc")] # => [3, "0001786200000003", 3, "0001786200000003", true, true]
sum.inspect # => "#<Digest::Sum: 0001786200000003>"
copy = sum.dup
copy << "d"
[copy.count, sum.count, copy.hexdigest == Digest::Sum.hexdigest("abcd")] # => [4, 3, true]
[sum.hexdigest!, sum.count, sum.hexdigest] # => ["0001786200000003", 0, "0000000000000000"]
sum.update("x").reset.count # => 0
[sum.new.class, sum.digest("abc").bytes, sum.count] # => [Digest::Sum, [0, 1, 120, 98, 0, 0, 0, 3], 0]
Digest::Sum.hexdigest("x" * 100_000) # => "1267b000000186a0"
below = Class.new(Digest::Sum) { def mine = hexdigest }
below.new.update("abc").mine # => "0001786200000003"
Digest::Sum.base64digest("abc") # => "AAF4YgAAAAM="

# What goes wrong.
sum.update("a\xff") # raises ArgumentError: a byte of 255
sum.update(1) # raises TypeError: no implicit conversion of Integer into String
sum.dup.__send__(:initialize_copy, Digest::Other.new) # raises TypeError: different algorithms
sum.dup.__send__(:initialize_copy, Digest::MD5.new) # raises TypeError: different algorithms
Digest::MD5.new.__send__(:initialize_copy, sum) # raises TypeError: different algorithms
sum.dup.freeze.__send__(:initialize_copy, Digest::Sum.new) # raises FrozenError
Digest::Old.new # raises RuntimeError: Incompatible digest API version
Digest::Wrong.new # raises TypeError: Digest::Wrong::metadata is not initialized properly
Class.new(Digest::Base).new # raises RuntimeError: Digest::Base cannot be directly inherited in Ruby
Digest::Base.new # raises NotImplementedError: Digest::Base is an abstract class
Digest::Sum.fails = true
Digest::Sum.new # raises RuntimeError: Digest initialization failed.
sum.reset # raises RuntimeError: Digest initialization failed.
Digest::Sum.fails = false
100.times.map { |i| Digest::Sum.new.update("abc") }.map(&:hexdigest).uniq # => ["0001786200000003"]
Digest::MD5.hexdigest("abc") # => "900150983cd24fb0d6963f7d28e17f72"
