# A gzip file written and read back, with each kind of read.
require "zlib"
require "stringio"
path = "/tmp/rubellite_gzip_#{$$}.gz"
Zlib::GzipWriter.open(path) do |gz|
  gz.mtime = 1
  gz.orig_name = "name"
  gz.comment = "a comment"
  gz.puts "line 1", "line 2"
  gz.print "x"
  gz << "yz\n"
  gz.printf("%03d\n", 5)
  gz.putc "é"
  gz.pos # => 23
  (gz.mtime = 2) # raises Zlib::GzipFile::Error: header is already written
end
file = Zlib::GzipReader.open(path)
file.mtime.to_i # => 1
file.orig_name # => "name"
file.comment # => "a comment"
file.os_code # => 3
file.level # => -1
file.gets # => "line 1\n"
file.lineno # => 1
file.getc # => "l"
file.getbyte # => 105
file.ungetc("LI") # => nil
file.pos # => 7
file.readline # => "LIne 2\n"
file.read(2) # => "xy"
file.each_line.to_a # => ["z\n", "005\n", "\xC3"]
file.gets # => nil
file.eof? # => true
file.readchar # raises EOFError: end of file reached
file.rewind # => 0
file.read.bytesize # => 23
file.close.class # => File
file.closed? # => true
file.read # raises Zlib::GzipFile::Error: closed gzip stream
Zlib::GzipReader.open(path) { |gz| gz.gets(nil, 3) } # => "lin"
Zlib::GzipReader.open(path) { |gz| gz.gets("e") } # => "line"
Zlib::GzipReader.open(path) { |gz| gz.gets(3) } # => "lin"
Zlib::GzipReader.open(path) { |gz| [gz.read(3), gz.readpartial(4)] } # => ["lin", "e 1\n"]
Zlib::GzipReader.open(path) { |gz| gz.each_char.first(2) } # => ["l", "i"]
Zlib::GzipReader.open(path) { |gz| gz.each_byte.count } # => 23
Zlib::GzipReader.open(path) { |gz| gz.path == path } # => true

# Several members in one file.
whole = File.binread(path)
File.binwrite(path, whole * 2)
File.open(path, "rb") { |io| Zlib::GzipReader.zcat(io).bytesize } # => 46
File.open(path, "rb") { |io| gz = Zlib::GzipReader.new(io); gz.read; gz.unused == whole } # => true

# Damage.
def read_damaged(path, bytes)
  File.binwrite(path, bytes)
  Zlib::GzipReader.open(path, &:read)
end
crc = whole.dup
crc.setbyte(-5, crc.getbyte(-5) ^ 1)
read_damaged(path, crc) # raises Zlib::GzipFile::CRCError: invalid compressed data -- crc error
length = whole.dup
length.setbyte(-1, length.getbyte(-1) ^ 1)
read_damaged(path, length) # raises Zlib::GzipFile::LengthError: invalid compressed data -- length error
read_damaged(path, whole[0..-4]) # raises Zlib::GzipFile::NoFooter: footer is not found
read_damaged(path, whole[0..-14]) # raises Zlib::GzipFile::Error: unexpected end of file
read_damaged(path, "not gzip at all") # raises Zlib::GzipFile::Error: not in gzip format
error = (read_damaged(path, "not gzip at all") rescue $!)
error.input # => "not gzip at all"
Zlib.gunzip("short") # raises Zlib::GzipFile::Error: unexpected end of string
Zlib.gunzip(Zlib.gzip("abc")[0..-3]) # raises Zlib::GzipFile::Error: unexpected end of string
Zlib.gunzip(Zlib.gzip("abc")[0..-9]) # raises Zlib::GzipFile::NoFooter: footer is not found
Zlib.gunzip(Zlib.gzip("abc", level: 9) + "rest") # => "abc"
File.unlink(path)
Zlib::GzipFile.new # raises TypeError: allocator undefined for Zlib::GzipFile

# The encoding of what is read may be any.
packed = Zlib.gzip("a\0b\0")
Zlib::GzipReader.new(StringIO.new(packed), external_encoding: "UTF-16LE").read # => "ab"
Zlib::GzipReader.new(StringIO.new(packed), external_encoding: "UTF-16LE").read.encoding # => #<Encoding:UTF-16LE>
