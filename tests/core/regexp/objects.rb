r = /a(?<n>b)/ix
r.source # => "a(?<n>b)"
r.options # => 3
r.to_s # => "(?ix-m:a(?<n>b))"
r.inspect # => "/a(?<n>b)/ix"
r.names # => ["n"]
r.named_captures # => {"n" => [1]}
r.casefold? # => true
r == /a(?<n>b)/ix # => true
r.eql?(/a/) # => false
r.hash == /a(?<n>b)/ix.hash # => true
r.frozen? # => true
Regexp.new("a/b").inspect # => "/a\\/b/"
Regexp.new("a", Regexp::IGNORECASE).inspect # => "/a/i"
Regexp.new("a", "mi").options # => 5
Regexp.union("a.b", /c/i) # => /a\.b|(?i-mx:c)/
Regexp.union # => /(?!)/
Regexp.union(["x", "y"]) # => /x|y/
Regexp.escape("a+b[c] \n") # => "a\\+b\\[c\\]\\ \\n"
Regexp.last_match.class # => NilClass
"ab" =~ /(b)/ # => 1
Regexp.last_match(1) # => "b"
/a/.match("b", 0) # => nil
/b/.match("abcb", 2).begin(0) # => 3
/a/ === "cat" # => true
/a/ === nil # => false
/a/ === :cat # => true
Regexp.timeout # => nil
Regexp.linear_time?(/a+/) # => true
/é/.encoding # => #<Encoding:UTF-8>
/a/.encoding # => #<Encoding:US-ASCII>
/a/n.encoding # => #<Encoding:US-ASCII>
/a/.fixed_encoding? # => false
Regexp.try_convert("a") # => nil
/(.)(.)/.match("ab") { |m| m[2] } # => "b"
~/a/ rescue $!.class # => nil
