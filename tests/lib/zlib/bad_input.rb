# Streams that are cut off, damaged, followed by garbage, or want another dictionary.
require "zlib"
require "stringio"

plain = "hello hello hello world " * 20
packed = Zlib.deflate(plain)
gzipped = Zlib.gzip(plain)

def outcome
  result = yield
  result.is_a?(String) ? result.bytesize : result
rescue Zlib::Error => e
  e.class
end

# Every cut.
(0...packed.size).map { |n| outcome { Zlib.inflate(packed[0, n]) } }.uniq # => [Zlib::BufError]
(0...packed.size).map { |n| outcome { z = Zlib::Inflate.new; z << packed[0, n]; z.finish } }.uniq # => [Zlib::BufError]
(0...packed.size).map { |n| outcome { z = Zlib::Inflate.new; z << packed[0, n]; z.finished? } }.uniq # => [false]
(0...10).map { |n| outcome { Zlib::GzipReader.new(StringIO.new(gzipped[0, n])) } }.uniq # => [Zlib::GzipFile::Error]
(10...gzipped.size - 8).map { |n| outcome { Zlib::GzipReader.new(StringIO.new(gzipped[0, n])).read } }.uniq # => [Zlib::GzipFile::Error]
(gzipped.size - 8...gzipped.size).map { |n| outcome { Zlib.gunzip(gzipped[0, n]) } }.tally # => {Zlib::GzipFile::NoFooter => 1, Zlib::GzipFile::Error => 7}
Zlib.inflate(packed[0..-2]) # raises Zlib::BufError: buffer error
Zlib.inflate("") # raises Zlib::BufError: buffer error
Zlib.gunzip("") # raises Zlib::GzipFile::Error: unexpected end of string
Zlib.gunzip(gzipped[0..-9]) # raises Zlib::GzipFile::NoFooter: footer is not found

# Damage: what is wrong is named, also when the decompressor's fast loop finds it.
Zlib.inflate("not zlib at all") # raises Zlib::DataError: incorrect header check
Zlib.inflate(packed[0..-2] + "x") # raises Zlib::DataError: incorrect data check
Zlib::Inflate.new(-15).inflate("\x07") # raises Zlib::DataError: invalid block type
Zlib::Inflate.new(-15).inflate("\x00\x01\x02\x03\x04") # raises Zlib::DataError: invalid stored block lengths
far = ["cb48ddc9c957c84022cbf38b7252504446c587ae3800"].pack("H*")
(Zlib::Inflate.new(-15).inflate(far)) # raises Zlib::DataError: invalid distance too far back
again = Zlib::Inflate.new(-15)
(again.inflate(far)) # raises Zlib::DataError: invalid distance too far back
(again.inflate(far)) # raises Zlib::DataError: invalid distance too far back
crc = gzipped.dup
crc.setbyte(-8, crc.getbyte(-8) ^ 1)
Zlib.gunzip(crc) # raises Zlib::GzipFile::CRCError: invalid compressed data -- crc error
length = gzipped.dup
length.setbyte(-1, 1)
Zlib.gunzip(length) # raises Zlib::GzipFile::LengthError: invalid compressed data -- length error
method = gzipped.dup
method.setbyte(2, 9)
Zlib.gunzip(method) # raises Zlib::GzipFile::Error: unsupported compression method 9
multi = gzipped.dup
multi.setbyte(3, 2)
Zlib.gunzip(multi) # raises Zlib::GzipFile::Error: multi-part gzip file is not supported
secret = gzipped.dup
secret.setbyte(3, 0x20)
Zlib.gunzip(secret) # raises Zlib::GzipFile::Error: encrypted gzip file is not supported

# Every byte damaged: an error of Zlib's or a string, and the next stream is as good as ever.
rng = Random.new(1)
seen = packed.bytes.each_index.map do |i|
  bad = packed.dup
  bad.setbyte(i, bad.getbyte(i) ^ (1 << rng.rand(8)))
  outcome { Zlib.inflate(bad) }
end
seen.uniq - [Zlib::DataError, Zlib::BufError, Zlib::NeedDict, plain.bytesize] # => []
Zlib.inflate(packed) == plain # => true

# What follows the end.
Zlib.inflate(packed + "garbage") == plain # => true
reader = Zlib::GzipReader.new(StringIO.new(gzipped + "garbage"))
reader.read == plain # => true
reader.unused # => "garbage"
Zlib.gunzip(gzipped + "garbage") == plain # => true
Zlib::GzipReader.zcat(StringIO.new(gzipped + gzipped)).bytesize # => 960
Zlib::GzipReader.zcat(StringIO.new(gzipped + "garbage")) # raises Zlib::GzipFile::Error: not in gzip format

# Dictionaries.
deflate = Zlib::Deflate.new
deflate.set_dictionary("hello world") # => "hello world"
secretly = deflate.deflate("hello world hello", Zlib::FINISH)
Zlib.inflate(secretly) # raises Zlib::NeedDict: need dictionary
wrong = Zlib::Inflate.new
(wrong.inflate(secretly)) # raises Zlib::NeedDict: need dictionary
wrong.set_dictionary("hello") # raises Zlib::DataError: data error
wrong.set_dictionary("hello world") # => "hello world"
wrong.inflate("") # => "hello world hello"
early = Zlib::Inflate.new
early.set_dictionary("hello world") # raises Zlib::StreamError: stream error
known = Zlib::Inflate.new
known.add_dictionary("hello").equal?(known) # => true
known.add_dictionary("hello world").equal?(known) # => true
known.inflate(secretly) # => "hello world hello"
other = Zlib::Inflate.new
other.add_dictionary("hello").equal?(other) # => true
(other.inflate(secretly)) # raises Zlib::NeedDict: need dictionary
late = Zlib::Deflate.new
late << "abc" * 100_000
late.set_dictionary("abc") # raises Zlib::StreamError: stream error
