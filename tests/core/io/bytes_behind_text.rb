# Bytes are read behind decoded text as long as no character was put back into it.
require "tempfile"
file = Tempfile.new
file.write("foo\r\nbar")
file.close
def opened(path, mode = "rt") = File.open(path, mode) { |io| yield io }
path = file.path
opened(path) { |io| [io.gets, io.read(2), io.getc, io.getbyte] } # => ["foo\n", "ba", "r", nil]
opened(path) { |io| [io.getc, io.readpartial(3)] } # => ["f", "oo\r"]
putting = ->(io, text = io.getc) { io.ungetc(text); io }
opened(path) { |io| putting.(io).readpartial(2) } # raises IOError: byte oriented read for character buffered IO
opened(path) { |io| putting.(io).read(2) } # raises IOError: byte oriented read for character buffered IO
opened(path) { |io| putting.(io).getbyte } # raises IOError: byte oriented read for character buffered IO
opened(path) { |io| putting.(io).ungetbyte(0) } # raises IOError: byte oriented read for character buffered IO
opened(path) { |io| putting.(io).each_byte { } } # raises IOError: byte oriented read for character buffered IO
opened(path) { |io| IO.copy_stream(putting.(io), IO::NULL) } # raises IOError: byte oriented read for character buffered IO
opened(path) { |io| putting.(io).read } # => "foo\nbar"
opened(path) { |io| putting.(io, "X").gets } # => "Xfoo\n"
# Once it is read again, bytes follow.
opened(path) { |io| [putting.(io).getc, io.read(2)] } # => ["f", "oo"]
opened(path) { |io| [putting.(io, "XY").getc, io.getc, io.read(2)] } # => ["X", "Y", "fo"]
opened(path, "r") { |io| [putting.(io, "X").read(2), io.read(2)] } # => ["Xf", "oo"]

# A paragraph leaves what is behind it undecoded.
reader, writer = IO.pipe("US-ASCII:UTF-8", universal_newline: true)
writer << "a\r\n\r\n\r\ncdefgh"
writer.close
[reader.gets(""), reader.getc, reader.readpartial(10)] # => ["a\n\n", "c", "defgh"]
reader.close
file.unlink
