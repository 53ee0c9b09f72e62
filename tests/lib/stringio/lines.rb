require "stringio"
s = StringIO.new("one\r\ntwo\n\n\nthree")
s.gets # => "one\r\n"
$_ # => "one\r\n"
s.lineno # => 1
s.gets("") # => "two\n\n\n"
s.pos # => 11
s.gets(nil) # => "three"
s.gets # => nil
$_ # => nil
s.rewind # => 0
s.gets(chomp: true) # => "one"
s.gets(2) # => "tw"
s.gets("o", 10) # => "o"
s.gets("", chomp: true) # => "three"
s.gets(0) # => ""
s.gets(nope: 1) # raises ArgumentError: unknown keyword: :nope
s.each_line(0) { } # raises ArgumentError: invalid limit: 0 for each_line
s.readlines(0) # raises ArgumentError: invalid limit: 0 for readlines
StringIO.new("a--b--c").each_line("--", chomp: true).to_a # => ["a", "b", "c"]
StringIO.new("é\u3042\n").gets(1) # => "é"
StringIO.new("é\u3042\n").gets(3) # => "éあ"
StringIO.new("\n\n\nab\n\n\n\ncd").each_line("").to_a # => ["ab\n\n\n\n", "cd"]
StringIO.new("ab\r\n\r\ncd").each_line("", chomp: true).to_a # => ["ab", "cd"]
StringIO.new("a\nb\n".encode("UTF-16LE")).gets.bytes # => [97, 0, 10, 0]
StringIO.new("abc".b).gets("\u3042".encode("UTF-16LE")) # raises ArgumentError: encoding mismatch: ASCII-8BIT IO with UTF-16LE RS
StringIO.new("x\ny").each.with_index.to_a # => [["x\n", 0], ["y", 1]]
StringIO.new("aé").each_codepoint.to_a # => [97, 233]
StringIO.new("\xff").each_codepoint.to_a # raises ArgumentError: invalid byte sequence in UTF-8
StringIO.new("aé").each_byte.to_a # => [97, 195, 169]
