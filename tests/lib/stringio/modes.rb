require "stringio"
StringIO.new("x".freeze).write("a") # raises IOError: not opened for writing
StringIO.new("x".freeze, "w") # raises Errno::EACCES: Permission denied
StringIO.new("x", "q") # raises ArgumentError: invalid access mode q
StringIO.new(+"abc", "w").string # => ""
a = StringIO.new(+"abc", "a+")
a.pos # => 0
a << "d" << :e << 5 # => #<StringIO:0xXX>
a.string # => "abcde5"
a.close_read # => nil
a.read # raises IOError: not opened for reading
a.close_read # => nil
a.closed? # => false
a.close # => nil
a.closed? # => true
a.write("x") # raises IOError: not opened for writing
a.close # => nil
r = StringIO.new("abc", "r")
r.close_write # raises IOError: closing non-duplex IO for writing
StringIO.allocate.read # raises IOError: uninitialized stream
one = StringIO.new("abc")
two = one.dup
two.getc # => "a"
one.pos # => 1
two.close # => nil
one.closed? # => false
one.reopen(+"other", "r+") # => #<StringIO:0xXX>
one.read # => "other"
one.reopen(Object.new) # raises TypeError: can't convert Object into StringIO
one.string = "new"
[one.pos, one.read] # => [0, "new"]
StringIO.new(nil).read # => nil
StringIO.new(nil).gets # => nil
n = StringIO.new(nil)
n.write("abc") # => 0
n.size # => 0
StringIO.open("block") { |io| io.read } # => "block"
$stderr = StringIO.new
StringIO.new("x") { }
warned = $stderr.string[/warning.*/]
$stderr = STDERR
warned # => "warning: StringIO::new() does not take block; use StringIO::open() instead"
StringIO.new.external_encoding # => #<Encoding:UTF-8>
StringIO.new("\uFEFFabc".b, "r:BOM|utf-8").read # => "abc"
b = StringIO.new("\xFF\xFEa\0".b)
b.set_encoding_by_bom # => #<Encoding:UTF-16LE>
b.read # => "a"
e = StringIO.new(+"é")
e.set_encoding("ISO-8859-1").read # => "\xC3\xA9"
e.string.encoding # => #<Encoding:ISO-8859-1>
w = StringIO.new("".encode("UTF-16LE"))
w.write("aé") # => 4
w.string # => "a\u00E9"
StringIO.new(+"").tap { |io| io.write("\xE3\x81\x82".dup.force_encoding("EUC-JP")) } # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and EUC-JP
StringIO.include?(Enumerable) # => true
StringIO.new.frozen? # => false
StringIO.new("x").freeze.write("a") # raises FrozenError: can't modify frozen StringIO: #<StringIO:0xXX>
StringIO.new.putc("été") # => "été"
p_out = StringIO.new
p_out.putc(65.7) # => 65.7
p_out.print("a", 1, nil) # => nil
p_out.puts([1, [2, [nil]]], "z\n") # => nil
p_out.printf("%05.1f|", 3.14159) # => nil
p_out.string # => "Aa11\n2\n\nz\n003.1|"
