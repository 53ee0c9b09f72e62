# IO::Buffer: numbers in every type, in bulk and one by one, copies that overlap, masks, and what is refused.
# flags: -W:no-experimental
b = IO::Buffer.new(32)
{ U8: 200, S8: -3, u16: 0xfffe, U16: 0xfffe, s16: -2, S16: -2, u32: 2**32 - 2, U32: 2**32 - 2, s32: -5, S32: -5, u64: 2**64 - 1, U64: 2**64 - 7, s64: -(2**63), S64: -9, f32: 1.5, F32: -2.25, f64: 1e300, F64: -0.0 }.map { |type, n| [b.set_value(type, 3, n), b.get_value(type, 3) == n, b.get_string(3, IO::Buffer.size_of(type))] } # => [[4, true, "\xC8"], [4, true, "\xFD"], [5, true, "\xFE\xFF"], [5, true, "\xFF\xFE"], [5, true, "\xFE\xFF"], [5, true, "\xFF\xFE"], [7, true, "\xFE\xFF\xFF\xFF"], [7, true, "\xFF\xFF\xFF\xFE"], [7, true, "\xFB\xFF\xFF\xFF"], [7, true, "\xFF\xFF\xFF\xFB"], [11, true, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"], [11, true, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xF9"], [11, true, "\x00\x00\x00\x00\x00\x00\x00\x80"], [11, true, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xF7"], [7, true, "\x00\x00\xC0?"], [7, true, "\xC0\x10\x00\x00"], [11, true, "\x9Cu\x00\x88<\xE47~"], [11, true, "\x80\x00\x00\x00\x00\x00\x00\x00"]]
b.get_value(:U8, 32) # raises ArgumentError: Type extends beyond end of buffer! (offset=32 > size=32)
b.get_value(:u64, 25) # raises ArgumentError: Type extends beyond end of buffer! (offset=25 > size=32)
b.get_value(:u64, 2**64 - 4) # raises ArgumentError
b.get_value(:U8, -1) # raises ArgumentError: Offset can't be negative!
b.get_value(:u8, 0) # raises ArgumentError: Invalid type name!
b.get_value("U8", 0) # raises TypeError: wrong argument type String (expected Symbol)
b.set_value(:U8, 32, 1) # raises ArgumentError: Type extends beyond end of buffer! (offset=32 > size=32)
b.set_value(:u32, 0, "1") # raises TypeError: no implicit conversion of String into Integer
b.set_value(:u16, 0, 2**32) # raises RangeError: integer 4294967296 too big to convert to 'unsigned int'
b.set_values([:U8, :f32], 0, [1, 2.5]) # => 5
b.get_values([:U8, :f32], 0) # => [1, 2.5]
b.set_values([:U8], 0, [1, 2]) # raises ArgumentError: Argument buffer_types and values should have the same length!
b.set_values(:U8, 0, [1]) # raises ArgumentError: Argument buffer_types should be an array!
b.set_values([:U8], 0, 1) # raises ArgumentError: Argument values should be an array!
b.get_values(:U8, 0) # raises ArgumentError: Argument buffer_types should be an array!
c = IO::Buffer.for("\x01\x02\x03\x04\x05\x06\x07\x08")
c.values # => [1, 2, 3, 4, 5, 6, 7, 8]
c.values(:U16) # => [258, 772, 1286, 1800]
c.values(:u16, 2, 2) # => [1027, 1541]
c.values(:u16, 2, 4) # raises ArgumentError: Type extends beyond end of buffer! (offset=8 > size=8)
c.values(:U8, 9) # raises ArgumentError: The given offset is bigger than the buffer size!
c.each(:U32).to_a # => [[0, 16909060], [4, 84281096]]
c.each(:U8, 6) { |at, n| print at, ":", n, " " }.equal?(c) # => true
puts # prints: 6:7 7:8 
c.each(:U8, 6, 3).to_a # raises ArgumentError: Type extends beyond end of buffer! (offset=8 > size=8)
c.each_byte(5).to_a # => [6, 7, 8]
c.each_byte(5, 2).map { |n| n * 2 } # => [12, 14]
c.each(:u16) { |at, n| break at if at > 2 } # => 4
c.each.size # => nil
# What the block changes is seen by what comes later.
d = IO::Buffer.new(4)
d.each(:U8) { |at, n| d.set_value(:U8, at + 1, n + 1) if at < 3 }.values # => [0, 1, 2, 3]
d.copy(d, 1, 3) # => 3
d.values # => [0, 0, 1, 2]
d.copy(d, 0, 2, 2) # => 2
d.values # => [1, 2, 1, 2]
d.copy(c) # raises ArgumentError: Specified offset+length is bigger than the buffer size!
d.copy(c, 0, 4, 5) # raises ArgumentError: The computed source range exceeds the size of the source buffer!
d.copy(c, 0, 4, 9) # raises ArgumentError: The given source offset is bigger than the source itself!
d.set_string("abcdef", 1, 3, 2) # => 3
d.get_string # => "\x01cde"
d.set_string("abcde") # raises ArgumentError: Specified offset+length is bigger than the buffer size!
c.set_string("a") # raises IO::Buffer::AccessError: Buffer is not writable!
c.clear # raises IO::Buffer::AccessError: Buffer is not writable!
d.clear(300).values # => [44, 44, 44, 44]
d.clear(1, 1, 2).values # => [44, 1, 1, 44]
long = IO::Buffer.for((0..255).map(&:chr).join * 3)
mask = IO::Buffer.for("\x0f\xf0\x55")
plain = long.get_string.bytes
pattern = mask.get_string.bytes.cycle.first(plain.size)
(long & mask).values == plain.zip(pattern).map { |x, y| x & y } # => true
(long | mask).values == plain.zip(pattern).map { |x, y| x | y } # => true
(long ^ mask).values == plain.zip(pattern).map { |x, y| x ^ y } # => true
(~long).values == plain.map { |x| x ^ 255 } # => true
copy = long.dup
copy.xor!(mask).xor!(mask) == long # => true
copy.and!(copy) # raises IO::Buffer::MaskError: Mask overlaps source buffer!
copy.or!(copy.slice(3, 1)) # raises IO::Buffer::MaskError: Mask overlaps source buffer!
copy.not!.get_value(:U8, 0) # => 255
text = +"slice of a text"
part = IO::Buffer.for(text).slice(6, 2)
GC.start
part.get_string # => "of"
part.slice(1).get_string # => "f"
kept = nil
IO::Buffer.for(text) { |buffer| kept = buffer.slice(0, 5) }
kept.valid? # => false
