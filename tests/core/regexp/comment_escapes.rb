# Escapes in comments mean nothing.
eval("/a # C:\\users\n b/x") =~ "ab" # => 0
Regexp.new("a # C:\\users \\xZ \\u{\n b", Regexp::EXTENDED).match("ab")[0] # => "ab"
Regexp.new("a(?# C:\\users \\) \\x)b").match("ab")[0] # => "ab"
Regexp.new("(?x: a # \\u\n b)c").match("abc")[0] # => "abc"
Regexp.new("(?x) a # \\u\n b").match("ab")[0] # => "ab"
Regexp.new("((?x) a # \\u\n b)\\u0063").match("abc")[0] # => "abc"
Regexp.new("(?x-x: a #\\u0063)").match(" a #c")[0] # => " a #c"
Regexp.new("[#\\u00e9]+", Regexp::EXTENDED).match("#é")[0] # => "#é"
Regexp.new("[[:alpha:]#\\u00e9]+", Regexp::EXTENDED).match("#é")[0] # => "#é"
Regexp.new("\\#\\u00e9", Regexp::EXTENDED).match("#é")[0] # => "#é"
Regexp.new("a # \\u") # raises RegexpError: too short escape sequence: /a # \u/
Regexp.new("a # \\u\n \\u", Regexp::EXTENDED) # raises RegexpError: too short escape sequence: /a # \u\n \u/x
Regexp.new("a # é", Regexp::EXTENDED).encoding # => #<Encoding:UTF-8>
Regexp.new("a # \\u00e9", Regexp::EXTENDED).encoding # => #<Encoding:US-ASCII>
