r, w = IO.pipe
w.write("abc\ndef\n\n\nghi")
w.close
r.readpartial(2) # => "ab"
r.read_nonblock(1) # => "c"
r.getbyte # => 10
r.readlines.size # => 4
r.readpartial(1) # raises EOFError: end of file reached
r.read_nonblock(1, exception: false) # => nil
r2, w2 = IO.pipe
r2.read_nonblock(1, exception: false) # => :wait_readable
r2.read_nonblock(1) # raises IO::EAGAINWaitReadable: Resource temporarily unavailable - read would block
w2.write("x,y,z")
w2.close
r2.each_line(",").to_a # => ["x,", "y,", "z"]
r3, w3 = IO.pipe
w3.write("é1")
w3.close
r3.each_char.to_a # => ["é", "1"]
r4, w4 = IO.pipe
w4.write("ab")
w4.close
r4.each_byte.to_a # => [97, 98]
IO.pipe.map(&:class) # => [IO, IO]
r4.fileno.class # => Integer
r4.tty? # => false
r4.sync # => false
w4.closed? # => true
buffer = +""
r5, w5 = IO.pipe
w5.write("fill")
w5.close
r5.read(10, buffer) # => "fill"
buffer # => "fill"
