"a1b22".scan(/\d+/) # => ["1", "22"]
"a1b22".scan(/([a-z])(\d+)/) # => [["a", "1"], ["b", "22"]]
"hello".scan("l") # => ["l", "l"]
"abc".scan(/./) { |c| print c } # => "abc"
"abc" =~ /c/ # => 2
"abc".match(/b(.)/) # => #<MatchData "bc" 1:"c">
"abc".match?(/z/) # => false
"abc".match(/c/, 1).begin(0) # => 2
"foo bar".match(/(?<first>\w+) (?<second>\w+)/).named_captures # => {"first" => "foo", "second" => "bar"}
"abc".start_with?("ab", "x") # => true
"abc".start_with?(/a./) # => true
"abc".end_with?("bc") # => true
"abc".include?("b") # => true
"a,b;c".partition(/[,;]/) # => ["a", ",", "b;c"]
"a,b,c".rpartition(",") # => ["a,b", ",", "c"]
"abc".partition("x") # => ["abc", "", ""]
"hello world".count("lo") # => 5
"hello".count("a-m", "^l") # => 2
"abcabc".rindex("b", -3) # => 1
# prints: abc
