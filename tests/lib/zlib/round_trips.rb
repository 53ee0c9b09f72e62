require "zlib"
data = "hello world " * 1000
packed = Zlib::Deflate.deflate(data)
packed.size < 100 # => true
Zlib::Inflate.inflate(packed) == data # => true
Zlib.inflate(Zlib.deflate("")).empty? # => true
Zlib.crc32("abc") # => 891568578
Zlib.adler32("abc") # => 38600999
Zlib.crc32 # => 0
Zlib.crc32("c", Zlib.crc32("ab")) == Zlib.crc32("abc") # => true
Zlib.crc32_combine(Zlib.crc32("ab"), Zlib.crc32("c"), 1) == Zlib.crc32("abc") # => true
Zlib.gunzip(Zlib.gzip("text")) # => "text"
d = Zlib::Deflate.new(9)
parts = d.deflate("part one ")
parts << d.deflate("part two", Zlib::SYNC_FLUSH)
parts << d.finish
Zlib.inflate(parts) # => "part one part two"
d.total_in # => 17
d.finished? # => true
d.close # => nil
i = Zlib::Inflate.new(Zlib::MAX_WBITS + 32)
i.inflate(Zlib.gzip("auto")) # => "auto"
i.finished? # => true
raw = Zlib::Deflate.new(nil, -Zlib::MAX_WBITS).deflate("raw", Zlib::FINISH)
Zlib::Inflate.new(-Zlib::MAX_WBITS).inflate(raw) # => "raw"
Zlib.inflate("garbage") # raises Zlib::DataError: incorrect header check
Zlib.inflate(packed[0, 20]) # raises Zlib::BufError: buffer error
Zlib.gunzip("nope") # raises Zlib::GzipFile::Error: unexpected end of string
require "stringio"
io = StringIO.new
gz = Zlib::GzipWriter.new(io)
gz.mtime = 1
gz.write("line 1\nline 2\n")
gz.close
Zlib::GzipReader.new(StringIO.new(io.string)).readlines # => ["line 1\n", "line 2\n"]
Zlib::GzipReader.new(StringIO.new(io.string)).each_line.count # => 2
Zlib::GzipReader.wrap(StringIO.new(io.string)) { |g| g.mtime.to_i } # => 1
