# What functions of the interface say to arguments that they do not take, and at the ends of what they do.
require_relative "fixtures/build"
class BoundsAbove
  def up(*args, **options) = [args, options]
end
load_c("bounds")

Bounds.pack(5, 1, 1, 0, 0x11) # => [1, "\x05\x00\x00\x00"]
Bounds.pack(5, 1, 0, 0, 0x11) # raises ArgumentError: invalid wordsize: 0
Bounds.pack(5, 1, 1, 8, 0x11) # raises ArgumentError: too big nails: 8
Bounds.pack(5, 1, 2, 0, 0x31) # raises ArgumentError: unexpected byte order
Bounds.pack(5, 1, 1, 0, 0x1000) # raises ArgumentError: unsupported flags specified
Bounds.unpack("ab", 2**62, 8, 0, 0x11) # raises ArgumentError: too big numwords * wordsize: 4611686018427387904 * 8
Bounds.big_pack(2**64, -1) # raises ArgumentError: too big numwords * wordsize: 18446744073709551615 * 8
Bounds.numwords(2**64, 0) # => [18446744073709551615, 7]
Bounds.numwords(2**64, 32) # => [3, 31]

Bounds.to_inum("z", 37, false) # raises ArgumentError: invalid radix 37
Bounds.to_inum("z", 1, true) # raises ArgumentError: invalid radix 1
Bounds.to_inum("12", -1, false) # => 12
Bounds.to_inum("1".encode("UTF-16LE"), 10, false) # raises Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16LE
Bounds.to_double(5, false) # raises TypeError: no implicit conversion of Integer into String
Bounds.to_double("1.5x", false) # => 1.5
said = ->(kind, value) { Bounds.numbers(kind, value) rescue $!.message }
(0..7).map { said[it, Float::NAN] }.tally # => {"float NaN out of range of integer" => 6, "float NaN out of range of long long" => 1, "float NaN out of range of unsigned long long" => 1}
said[0, -1e300] # => "float -1e+300 out of range of integer"
said[5, Float::INFINITY] # => "float Inf out of range of unsigned long long"
(0..8).map { said[it, nil] }.values_at(0, 1, 3, 5, 7, 8).uniq # => ["no implicit conversion from nil to integer", "no implicit conversion of nil into Integer", "no implicit conversion to float from nil"]
[said[1, -2**70], said[5, -2**63 - 1], said[3, 2**64]] # => ["bignum too big to convert into 'unsigned long'", "bignum out of range of unsigned long long", "bignum too big to convert into 'unsigned long'"]
[said[8, true], said[8, "1"]] # => ["no implicit conversion to float from true", "no implicit conversion to float from string"]

Bounds.hidden(3) # => 0
Bounds.hidden(-1) # raises ArgumentError: negative array size (or size too big)
Bounds.hidden(2**62) # raises ArgumentError: array size too big
[Bounds.sublen("text", 2**31), Bounds.sublen("é", 2), Bounds.sublen("éa", 3)] # => [2147483648, 1, 2]
[3, 4].map { |kind| Bounds.texts(kind, 2**64) rescue $!.message } # => ["not encoding capable object", "wrong argument type Integer (expected String)"]
Bounds.texts(3, "a".encode("UTF-16LE")) # raises Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16LE
Bounds.encodings("no such") # => #<Encoding:BINARY (ASCII-8BIT)>
File.open(__FILE__, "r+") { Bounds.of_io(it) } # => nil
File.open(__FILE__, "r:UTF-16LE:UTF-8") { Bounds.of_io(it) } # => #<Encoding:UTF-8>
[[255, "EUC-JP"], [-1, "EUC-JP"], [0x110000, "UTF-8"], [256, "ISO-8859-1"], [0x110000, "UTF-16LE"]].map { Bounds.codelen(*it) } # => [-400, -401, -401, 1, 4]
["abc", "a b", "\xff\xfe", "\xff\xfe".b, "abc".dup.force_encoding("UTF-16LE")].map { Bounds.symname(it) } # => [true, false, true, true, false]

# Objects of the runtime's own are no data of C code.
[proc {}, Set[1], Time.at(0), Encoding::UTF_8, 1].map { Bounds.data(it) rescue $!.message }.uniq.size # => 5
Bounds.data(proc {}) # raises TypeError: wrong argument type Proc (expected Data)
(0..5).map { |kind| Bounds.kinds(kind, "text") rescue $!.message[/\(.*/] } # => ["(expected mutex)", "(expected mutex)", "(expected fiber)", "(expected VM/thread)", "(expected VM/thread)", "(expected time)"]
Bounds.kinds(0, false) # raises TypeError: wrong argument type false (expected mutex)
Bounds.kinds(2, Fiber.new { 5 }) # => 5
[Bounds.rotate([1, 2, 3], 1), Bounds.rotate([1, 2, 3], 3), Bounds.rotate([1], 1)] # => [[2, 3, 1], nil, nil]
Bounds.rotate(nil, 1) rescue $!.class < StandardError # => true
Bounds.sublen(:text, 3) # raises TypeError: wrong argument type Symbol (expected String)
Bounds.sized.size # => Enumerator
Bounds.formats("text") # => ["NaN|  Inf|-Inf |+Inf", #<Encoding:BINARY (ASCII-8BIT)>]
Bounds.formats("é").last # => #<Encoding:UTF-8>
Bounds.define("X Y") # raises NameError: identifier X Y needs to be constant
Bounds.scan(1, {}) # => [[1, {}], [1, {}]]
Bounds.seconds(Float::NAN) # raises RangeError: NaN out of Time range
Bounds.seconds("1") # raises TypeError: can't convert String into time interval
[Bounds.directory("/"), Bounds.directory(__FILE__)] # => [true, false]
Bounds.options({ fallback: { "a" => "b" }, invalid: :replace }) # => [2, {fallback: {"a" => "b"}}]
Bounds.options({ replace: 5 }) # raises TypeError: no implicit conversion of Integer into String
Bounds.options({ newline: :none }) # raises ArgumentError: unexpected value for newline option: none

# Keywords go on with `rb_call_super_kw` alone.
BoundsBelow.new.up(1, a: 2) # => [[1, {a: 2}], {}]
