# Programs of the engine for regular expressions that C code makes and runs itself.
require_relative "fixtures/build"
load_c("programs")

IGNORE, EXTEND, MULTI = 1, 2, 4
Programs.found("b(c)?", 0, "abcabd") # => [[[1, 3], [2, 3]], 4, -1, 2, [[1, 3], [4, 5]], 1, 0]
Programs.found("x", 0, "abc") # => [-1, -1, -1, 0, [], 0, 0]
Programs.found("B # no more", IGNORE | EXTEND, "aBb") # => [[[1, 2]], 2, -1, 2, [[1, 2], [2, 3]], 0, 0]
Programs.found("a.b", MULTI, "a\nb") # => [[[0, 3]], 0, 3, 1, [[0, 3]], 0, 0]
Programs.found("a.b", 0, "a\nb") # => [-1, -1, -1, 0, [], 0, 0]
Programs.found("(?<one>ü)(?<two>.)", 0, "süßüß") # => [[[1, 5], [1, 3], [3, 5]], 5, -1, 2, [[1, 5], [5, 9]], 2, 2]
Programs.found("", 0, "ü") # => [[[0, 0]], 2, 0, 2, [[0, 0], [2, 2]], 0, 0]
Programs.found("(a", 0, "") # => [-117, "end pattern with unmatched parenthesis"]
Programs.found("[z-a]", 0, "") # => [-203, "empty range in char class"]
Programs.found("*", 0, "") # => [-113, "target of repeat operator is not specified"]
Programs.found("\\p{Nothing}", 0, "")[0] # => -223

Programs.within(/b+/, "abbbc", 2, 5) # => [[0, 2]]
Programs.within(/^b/, "abbbc", 2, 5) # => [[0, 1]]
Programs.within(/a/, "abbbc", 2, 5) # => nil
Programs.within(/ü/, "aüb", 1, 3) # => [[0, 2]]
Programs.within(/ü/, "\xFC".encode("iso-8859-1", "iso-8859-1"), 0, 1) # raises Encoding::CompatibilityError

Programs.numbers(/(?<a>.)(?<b>.)(?<a>.)/, "a") # => [1, 3]
Programs.numbers(/(?<a>.)/, "b") # => -217
[/literal/, Regexp.new("made")].map { Programs.same_program(it) } # => [true, true]

match = /(?<first>b)(?<second>x)?/.match("abc")
Programs.filled("<\\k<first>|\\k<second>|\\0|\\`|\\'|\\\\|\\n|\\1>", match) # => "<b||b|a|c|\\|\\n|>"
Programs.filled("<\\1\\2\\3\\+\\&>", /(b)(c)?/.match("abd")) # => "<bbb>"
Programs.filled("plain", match) # => "plain"
Programs.filled("end\\", match) # => "end\\"
Programs.filled("ß\\k<first>ü\\ü", match) # => "ßbü\\ü"
Programs.filled("\\k<none>", match) # raises IndexError: undefined group name reference: none
Programs.filled("\\k<first", match) # raises RuntimeError: invalid group name reference format
Programs.filled("\\kx", match) # => "\\kx"

[0, 1, 2, 3, 5].map { Programs.adjusted(/x/, "aüb", it) } # => [[0, 0], [1, 1], [3, 1], [3, 3], [5, 5]]
[0, 1, 2, 3, 4].map { Programs.characters("aüb", it) } # => [[nil, 0, 0, nil, nil, 3], [0, 1, 1, nil, nil, 3], [1, 3, 3, 1, 0, 3], [1, 3, 3, nil, 0, 3], [3, 4, 4, nil, 1, 3]]
Programs.mapped("aüB c", 1 << 13) # => ["AüB C", true]
Programs.mapped("AÜb", 1 << 14) # => ["aÜb", true]
Programs.mapped("abc", 1 << 13 | 1 << 15) # => ["Abc", true]
Programs.mapped("12", 1 << 13) # => ["12", false]
Programs.syntax # => [57344, 2146948438, 2724936666, 2275410907, 0, -30]
