# What is pushed back or read ahead, and where the IO says it stands.
require "tempfile"
require "io/wait"
f = Tempfile.create
f.write("0123456789\r\nab\r\n")
f.rewind
f.ungetbyte("qux")
f.pos # => -3
f.read(4) # => "qux0"
f.pos # => 1
f.close
text = File.open(f.path, "rt")
text.getc # => "0"
text.pos # => 1
text.read(3) # => "123"
text.pos # => 4
text.seek(1, IO::SEEK_CUR)
text.gets # => "56789\n"
text.pos # => 12
text.getc # => "a"
text.pos # => 13
text.close
File.delete(f.path)
r, w = IO.pipe
w << "abc"
r.getc # => "a"
r.wait_readable(0) # => true
r.wait(0) # => true
r.read_nonblock(9) # => "bc"
r.wait(0) # => nil
200.times { r.ungetc("x" * 1000) } # raises IOError: ungetbyte failed
r.read_nonblock(10) # => "xxxxxxxxxx"
IO.pipe(binmode: true).map(&:binmode?) # => [true, true]
ends = IO.pipe("UTF-8:UTF-16LE", binmode: true)
ends.map(&:binmode?) # => [true, true]
ends.map(&:external_encoding) # => [#<Encoding:UTF-8>, nil]

# Somebody else has closed the number.
t = IO.for_fd(w.fileno)
t.close
w.close # raises Errno::EBADF: Bad file descriptor
IO.pipe { |_, other| IO.for_fd(other.fileno).close } # raises Errno::EBADF: Bad file descriptor

size = +""
File.open(__FILE__) { |file| file.ioctl(0x541B, size) }
size.unpack1("i") == File.size(__FILE__) # => true
endless = Class.new { def to_ary = [self] }
$stdout.puts(endless.new)
# prints: [...]
