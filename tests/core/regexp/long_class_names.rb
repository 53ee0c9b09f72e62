# What is longer than any name of a class between [: and :] is a plain class.

"[]".match?(/\A[[:abcdefghijklmnopqrstu:]]+\z/) # => true
"abc".match?(Regexp.new("[[:abcdefghijklmnopqrstu:]]")) # => false
Regexp.new("[[:abcdefghij:]]") # raises RegexpError: invalid POSIX bracket type: /[[:abcdefghij:]]/
