# Failures in counted repeats are remembered for each count, and text that must occur is looked for first.
text = "test1-test2-test3-test4-test_5"
Regexp.new('^([0-9a-zA-Z\-/]*){1,256}$').match?(text) # => false
"a" * 2000 + '"' =~ /^([^"]*x?){1,256}$/ # => nil
("a" * 2000)[/^(?:a*,?){3,}$/].size # => 2000
("ab" * 300 + "c")[/(?:(?:a|b){2,3}b?){1,4}c/] # => "ababababababababc"
"aabaab"[/^(?:a{1,2}b){2}$/] # => "aabaab"

long = "abcdefghij " * 20_000
long =~ /[a-z]+#/ # => nil
long =~ /(\w+)@(\w+)\.com/ # => nil
(long + "x@y.com") =~ /(\w+)@(\w+)\.com/ # => 220000
$~[2] # => "y"
long.encode("UTF-16LE") =~ /[a-z]+#/ # raises Encoding::CompatibilityError

# An interpolated part that cannot be read is no pattern yet.
part = "\\"
/#{part}/ # raises ArgumentError: too short escape sequence
Regexp.new(part) # raises RegexpError
part = "("
/#{part}/ # raises RegexpError
