x = nil
"a#{x}b" # => "ab"
"#{1}#{:two}#{[3]}#{{ four: 4 }}" # => "1two[3]{four: 4}"
"a" "b#{1}" # => "ab1"
s = +"x"
s << "y" << 122 # => "xyz"
"%d-%s" % [1, "a"] # => "1-a"
"ab" * 3 # => "ababab"
"a" "b" == "ab" # => true
"#{"a" if false}" # => ""
class T; def to_s = "T!"; end
"#{T.new}" # => "T!"
`echo shell`.chomp # => "shell"
$?.success? # => true
%x(exit 3)
$?.exitstatus # => 3
