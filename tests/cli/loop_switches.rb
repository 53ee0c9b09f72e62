require "rbconfig"
def ruby(*args, input: "")
  IO.popen([RbConfig.ruby, *args, err: [:child, :out]], "r+") do |io|
    io.write(input)
    io.close_write
    io.read
  end
end
text = "b 2\na 1\n"
ruby("-ne", "puts $_ if /a/", input: text) # => "a 1\n"
ruby("-pe", "$_.upcase!", input: text) # => "B 2\nA 1\n"
ruby("-lne", "puts $_.reverse", input: text) # => "2 b\n1 a\n"
ruby("-ane", "puts $F[1]", input: text) # => "2\n1\n"
ruby("-F2", "-ane", "puts $F[0]", input: text) # => "b \na 1\n"
ruby("-ne", "END { p $. }", input: text) # => "2\n"
ruby("-rset", "-e", "p Set") # => "Set\n"
ruby("-I", "somewhere", "-e", "p $:.first.end_with?('somewhere')") # => "true\n"
ruby("-s", "-e", "p $x", "--", "-x=1") # => "\"1\"\n"
ruby("-W0", "-e", "p $VERBOSE") # => "nil\n"
ruby("-w", "-e", "p $VERBOSE") # => "true\n"
ruby("-C", "/", "-e", "puts Dir.pwd") # => "/\n"
ruby("--version") == ruby("-e", "puts RUBY_DESCRIPTION") # => true
ruby("-v", "-e", "p $VERBOSE").lines.last # => "true\n"
ruby("-0777", "-ne", "p $_", input: text) # => "\"b 2\\na 1\\n\"\n"
ruby("--nope").lines.first[/invalid option.*/] # => "invalid option --nope  (-h will show valid options) (RuntimeError)"
ruby("--enable=frozen-string-literal", "-e", "p 'a'.frozen?") # => "true\n"
ruby("-Eascii", "-e", "p Encoding.default_external") # => "#<Encoding:US-ASCII>\n"
File.write("scratch_cli.txt", "one\ntwo\n")
ruby("-i.bak", "-pe", "$_.upcase!", "scratch_cli.txt") # => ""
[File.read("scratch_cli.txt"), File.read("scratch_cli.txt.bak")] # => ["ONE\nTWO\n", "one\ntwo\n"]
ruby("-e", "puts ARGF.read", "scratch_cli.txt") # => "ONE\nTWO\n"
ruby("-e", "puts gets", "scratch_cli.txt") # => "ONE\n"
File.unlink("scratch_cli.txt", "scratch_cli.txt.bak")
