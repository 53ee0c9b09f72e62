r, w = IO.pipe
w.write("hello\nworld\n", 1) # => 13
w.puts "line"
w.print "a", "b"
w << "c" << 1
w.close
r.gets # => "hello\n"
r.gets(chomp: true) # => "world"
r.lineno # => 2
r.read(2) # => "1l"
r.getc # => "i"
r.ungetc("Z") # => nil
r.readchar # => "Z"
r.readline # => "ne\n"
r.eof? # => false
r.read # => "abc1"
r.read # => ""
r.read(1) # => nil
r.gets # => nil
r.readline # raises EOFError: end of file reached
r.readchar # raises EOFError: end of file reached
r.close # => nil
r.closed? # => true
r.read # raises IOError: closed stream
w.write("x") # raises IOError: closed stream

# The block is given one array of both ends.
IO.pipe { |both| both.map(&:class) } # => [IO, IO]
IO.pipe { |*all| all.size } # => 1
IO.pipe { |reader, writer| writer.close; reader.read } # => ""
IO.pipe(&->(both) { both.size }) # => 2
