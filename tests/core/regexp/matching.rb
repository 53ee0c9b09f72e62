/a/ =~ "cba" # => 2
/(\w)(\d)?/.match("a").to_a # => ["a", "a", nil]
/(?<y>\d+)/.match("in 2026")[:y] # => "2026"
/(?<y>\d+)/.match("in 2026").pre_match # => "in "
/b/.match("abc").post_match # => "c"
/x/.match("abc") # => nil
/a/.match?("abc") # => true
/(a)(b)?/.match("ac").captures # => ["a", nil]
/(?<a>.)(?<b>.)/.match("xy").named_captures # => {"a" => "x", "b" => "y"}
/(?<a>.)(?<b>.)/.match("xy").deconstruct_keys([:a]) # => {a: "x"}
/(.)(.)/.match("xy").values_at(1, 2) # => ["x", "y"]
/(.)(.)/.match("xy").offset(2) # => [1, 2]
/é(.)/.match("aéb").begin(1) # => 2
/é(.)/.match("aéb").byteoffset(1) # => [3, 4]
/(.)/.match("a").inspect # => "#<MatchData \"a\" 1:\"a\">"
/(?<n>.)/.match("a").inspect # => "#<MatchData \"a\" n:\"a\">"
/a/i.match?("A") # => true
/a.c/m.match?("a\nc") # => true
/a b/x.match?("ab") # => true
/\Aab\z/.match?("ab\n") # => false
/^b$/.match?("a\nb\nc") # => true
/\p{Alpha}+/.match("héllo1")[0] # => "héllo"
/[[:upper:]]/.match("aB")[0] # => "B"
/(?i)a(?-i)B/.match?("AB") # => true
/(?<!a)b/.match?("ab") # => false
/(?=b)/ =~ "ab" # => 1
/(?>a+)b/.match?("aab") # => true
/(a|b)+\1/.match("abb")[0] # => "abb"
/\h+/.match("xyzff")[0] # => "ff"
/\R/.match("\r\n")[0] # => "\r\n"
/\X/.match("e\u0301")[0].size # => 2
/a{2,3}?/.match("aaaa")[0] # => "aa"
/a++b/.match?("aab") # => true
/(?<p>\((?:[^()]|\g<p>)*\))/.match("x(a(b)c)")[0] # => "(a(b)c)"
/(a)?b/.match("b")[1] # => nil
/\bfoo\b/.match?("a foo b") # => true
/[^a-c&&[^x]]/.match("axd")[0] # => "x"
/\u00e9/.match?("é") # => true
/#{"a.b"}/.match?("axb") # => true
/#{Regexp.escape("a.b")}/.match?("axb") # => false
$~.nil? # => false
"foo" !~ /o/ # => false
Regexp.new("(") # raises RegexpError: end pattern with unmatched parenthesis: /(/
Regexp.new("[a") # raises RegexpError: premature end of char-class: /[a/
Regexp.new("?") # raises RegexpError: target of repeat operator is not specified: /?/
