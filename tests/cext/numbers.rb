# Numbers out of texts, and what else extensions that read them ask for.
require_relative "fixtures/build"
load_c("numbers")

# The number, where it ends, the count of characters that are no underscores.
read = ->(text, base, flags = 7) { Numbers.parsed(text, base, flags) }
read.("12", 10) # => [12, 2, 2]
read.("-12a", 10) # => [-12, 3, 3]
read.("+0x1F", 16) # => [31, 5, 5]
read.("0x1F", 16, 3) # => [0, 1, 1]
read.("0777", 0) # => [511, 4, 4]
read.("0b101", 0) # => [5, 5, 5]
read.("1_000_", 10) # => [1000, 5, 4]
read.("1__0", 10) # => [1, 1, 1]
read.("1_0", 10, 5) # => [1, 1, 1]
read.("  7", 10) # => [7, 3, 3]
read.("  7", 10, 6) # => [nil, 0, 0]
read.("", 10) # => [nil, 0, 0]
read.("abc", 10) # => [nil, 0, 0]
read.("-", 10) # => [nil, 0, 0]
read.("-x", 10) # => [0, 1, 1]
read.("-0x", 16) # => [nil, 1, 0]
read.("0xg", 16) # => [0, 2, 2]
read.("17", -8) # => [15, 2, 2]
read.("0x17", -8) # => [23, 4, 4]
read.("123456789012345678901234567890x", 10) # => [123456789012345678901234567890, 30, 30]
read.("1", 40) # raises ArgumentError: invalid radix 40
Numbers.whole("12 ", 10) # => 12
Numbers.whole("12x", 10) # => nil
Numbers.cstr("1234a", 10) # => 1234
Numbers.cstr("1015", 2) # => 5
Numbers.cstr("1234a", 0) # raises ArgumentError: invalid value for Integer(): "1234a"
Numbers.word(-2**63) # => 9223372036854775808
Numbers.word(-2**63 - 1) # raises RangeError: bignum out of range of unsigned long
Numbers.places(1.step(7, 2), 5, 1) # => [true, 1, 7, 2]
Numbers.places((-5..-1).step(1), 1, 1) # => [nil, 0, 0, 1]
Numbers.places((0..20).step(3), 5, 0) # raises RangeError: ((0..20).step(3)) out of range

Numbers.exception(nil) # raises TypeError: exception class/object expected
Numbers.exception(IOError) # => #<IOError: IOError>
[Numbers.proc.lambda?, Numbers.proc.arity, Numbers.proc.call(1, 2)] # => [false, -1, 1]
Numbers.get_binding # raises RuntimeError: Cannot create Binding object for non-Ruby caller
Numbers.free_variables("text".dup.tap { |text| text.instance_variable_set(:@a, 1) }).instance_variables # => []
Numbers.copied("cdef", 5) # => [4, "cdef", 6, "abcd"]
Numbers.copied("cdef", 3) # => [4, "cd", 6, "ab"]
Numbers.collecting? # => false
$VERBOSE = nil
Numbers::Old # => 1
Numbers.hidden(+"text", :upcase, []) # => "TEXT"
Numbers.hidden([1, 2], :concat, [[3]]) # => [1, 2, 3]
Numbers.hidden({ a: 1 }, :fetch, [:a]) # => 1
Numbers.hidden(2**70, :+, [1]) # => 1180591620717411303425
Numbers.hidden(1..3, :sum, []) # => 6

# Ractors share what its type allows.
[Ractor.shareable?(Numbers.data(false).freeze), Ractor.shareable?(Numbers.data(true)), Ractor.shareable?(Numbers.data(true).freeze)] # => [false, false, true]
Ractor.make_shareable(Numbers.data(false)) rescue $!.class # => Ractor::Error
Ractor.make_shareable(Numbers.data(true)).frozen? # => true
[Numbers.size(1), Numbers.size("a" * 1000) > 1000] # => [0, true]

# A Process::Status that C code fills in.
status = Numbers.status(1234, 3 << 8)
[status.pid, status.exitstatus, status.success?] # => [1234, 3, false]
Numbers.data_of(Numbers.data(true)) # => true
Numbers.data_of($stdout) # raises TypeError: IO has no data for C code

# How large data is is asked of living objects only.
200.times { Numbers.data(false) }
GC.start
Numbers.asked # => 0
Numbers.size(Numbers.data(false)) >= 8 # => true
Numbers.asked # => 1

# The table behind a hash, to be read.
Numbers.table({ "a" => 1, b: 2, 3.5 => 3 }, "a") # => [3, 1]
Numbers.table({ "a" => 1 }, "b") # => [1, nil]
20.times.map { |i| Numbers.table({ i => i }, i) }.uniq.size # => 20

# Numbers of two parts that C code allocates and fills in.
Numbers.filled(Rational, 3, 5) # => (3/5)
Numbers.filled(Rational, 1, 3) + Numbers.filled(Rational, 2, 3) # => (1/1)
Numbers.filled(Complex, 1, 2.5) # => (1+2.5i)

# The number and how many bytes it takes: what has few digits is computed here, the rest by the C library.
%w[1 -1.5 .5 1.].map { Numbers.text_to_double(it) } # => [[1.0, 1], [-1.5, 4], [0.5, 2], [1.0, 2]]
%w[1.e5 1e5 0x1p3 inf nan - 00012.50 1_000].map { Numbers.text_to_double(it) } # => [[100000.0, 4], [100000.0, 3], [8.0, 5], [0.0, 0], [0.0, 0], [0.0, 0], [12.5, 8], [1.0, 1]]
Numbers.text_to_double("  +2.25x") # => [2.25, 7]
Numbers.text_to_double("-0.0")[0].to_s # => "-0.0"
%w[123456789012345 9007199254740993 4.35 2.675 5e-324 0.1234567890123456789 0.000000000000000000000001].all? { Numbers.text_to_double(it)[0] == it.to_f } # => true
