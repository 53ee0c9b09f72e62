# Patterns with look-around and atomic groups are matched in time linear in the text.
# timeout: 60

many = "a" * 200_000
/^a*?(?>a*a*)$/ =~ many + "x" # => nil
/a*(?>a*)ab/ =~ many + "b" # => nil
/^a*?(?=a*a*)$/ =~ many + "x" # => nil
/(?:(?=a*)a)*/ =~ many # => 0
$~.end(0) # => 200000
/^a*?(?!a*a*)$/ =~ many + "x" # => nil
/(?<=abc|def)(a|a)*$/ =~ "abc" + many + "x" # => nil
/(?<!x)(a|a)*$/ =~ many + "x" # => nil
/(?:a|a)++$/ =~ many + "x" # => nil

# A look-ahead in front decides at each place.
"cbcbbaabb" =~ /(?=(?>[ab]*)?a?(?:b+)).+/ # => 1
"cca"[/(?=(?:(?=a{1,2})(?:a|b{1,2})+)?a+?).++/] # => "a"

# Which patterns are linear.
%w[(?>a*)b (?=(?=a)) (?=a*a) (?<=(a)) (?>a(?<=b)) (?:a{1,3}b){2,3} (?:a{100}b){2,3} (?:(?:ab){50}c){2,5}].map { Regexp.linear_time?(_1) }.uniq # => [true]
%w[(?=(?>a)) (?=a++) (?>(?=a)) (?>(?>a)) (?>a++) (?=(a)) (?>a(?<!b)) (?:a{1,300}b)* (?:a{1,300}b){2} (?=\R) (a)\1].map { Regexp.linear_time?(_1) }.uniq # => [false]

# Other corners.
Regexp.new("((?(1)x|x|)x)+") # raises RegexpError: invalid conditional pattern: /((?(1)x|x|)x)+/
Regexp.new("\0\x7f\n").to_s # => "(?-mix:\\x00\\x7F\n)"
Regexp.new("\xF1".b).inspect # => "/\\xF1/"
/(?mix)a/.to_s # => "(?mix:a)"
/(?mix)/.to_s # => "(?mix:)"
Regexp.allocate.fixed_encoding? # => false
Regexp.new("a", timeout: 1e300).timeout # => 18446744073.709553
"foo".sub(/(?<x>o)/, '\k<x') # raises RuntimeError: invalid group name reference format

# Loops that keep no alternatives are no exception.
/a+z/ =~ many + "xz" # => nil
/\A.*a.*z\z/ =~ many + "y" # => nil
/\R?\R?\X(?>a*)z/ =~ many # => nil
