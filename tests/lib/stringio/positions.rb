require "stringio"
s = StringIO.new(+"hello")
s.pos = 8 # => 8
s.eof? # => true
s.write("!") # => 1
s.string # => "hello\u0000\u0000\u0000!"
s.seek(-2, IO::SEEK_END) # => 0
s.pos # => 7
s.seek(1, 9) # raises Errno::EINVAL: Invalid argument - invalid whence
s.seek(-1) # raises Errno::EINVAL: Invalid argument
s.pos = -3 # raises Errno::EINVAL: Invalid argument
s.pos = 2
s.ungetc("XYZ") # => nil
s.string # => "XYZllo\u0000\u0000\u0000!"
s.pos # => 0
s.read(3) # => "XYZ"
s.ungetbyte(0x141) # => nil
s.read(2) # => "Al"
s.ungetc(0x3042) # => nil
s.string # => "Xあlo\u0000\u0000\u0000!"
s.ungetc(nil) # => nil
s.ungetc(2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
s.pread(3, 1) # => "\xE3\x81\x82"
s.pread(3, 100) # raises EOFError: end of file reached
s.pread(-1, 0) # raises ArgumentError: negative string size (or size too big): -1
s.pread(1, -1) # raises Errno::EINVAL: Invalid argument - pread: Invalid offset argument: -1
s.truncate(2) # => 0
s.truncate(4) # => 0
s.string # => "X\xE3\u0000\u0000"
s.truncate(-1) # raises Errno::EINVAL: Invalid argument - negative length
s.read(-1) # raises ArgumentError: negative length -1 given
s.read(0) # => ""
buffer = +"zzz"
t = StringIO.new("abc")
t.read(2, buffer) # => "ab"
buffer # => "ab"
t.read(nil, buffer) # => "c"
t.read(1, buffer) # => nil
buffer # => ""
t.read_nonblock(1, exception: false) # => nil
t.read_nonblock(1) # raises EOFError: end of file reached
t.sysread # => ""
