# Properties for the version of Unicode that brought a character.
"\u{1F6DC}".match?(/\p{Age=15.0}/) # => true
"\u{1F6DC}".match?(/\p{Age=14.0}/) # => false
"\u2754" =~ /\A\p{age=6.0}\z/ # => 0
"\u2754" =~ /\p{^Age=5.0}/ # => 0
"\u2754" =~ /\P{Age=5.0}/ # => 0
"a\u2754" =~ /[b\p{Age=6.0}&&[^a]]/ # => 1
/\p{Age=6.0}/.source # => "\\p{Age=6.0}"
Regexp.new('\p{Age=77.0}') # raises RegexpError
