require "stringio"
s = StringIO.new("one\ntwo\n")
s.gets # => "one\n"
s.read # => "two\n"
s.gets # => nil
s.rewind # => 0
s.each_line.to_a # => ["one\n", "two\n"]
s.string # => "one\ntwo\n"
w = StringIO.new
w.puts "a", 1
w.print "b"
w << "c"
w.printf("%03d", 5)
w.string # => "a\n1\nbc005"
w.pos # => 9
w.truncate(0) # => 0
StringIO.new("abc").getc # => "a"
StringIO.new("abc").each_char.to_a # => ["a", "b", "c"]
StringIO.new("abc").read(2) # => "ab"
StringIO.new("héé").readchar # => "h"
r = StringIO.new("frozen".freeze)
r.write("x") # raises IOError: not opened for writing
r.eof? # => false
r.seek(3) # => 0
r.read # => "zen"
r.pos = 1 # => 1
r.ungetc("Z") rescue $!.class # => IOError
r.read(1) # => "r"
$stdout = StringIO.new
puts "captured"
out = $stdout.string
$stdout = STDOUT
out # => "captured\n"
StringIO.open("x") { |io| io.read } # => "x"
StringIO.new(+"a", "a").tap { |io| io.write("b") }.string # => "ab"
StringIO.new("").readline # raises EOFError: end of file reached
StringIO.new("a,b").gets(",") # => "a,"
StringIO.new("ab").readlines("a") # => ["a", "b"]
s.closed? # => false
s.close # => nil
s.read # raises IOError: not opened for reading
