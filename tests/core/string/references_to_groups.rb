# Groups that have names have no numbers in what replaces, and numbers are no names.

"ab".gsub(/(?<x>.)/, "[\\1]") # => "[][]"
"ab".sub(/(?<x>.)(?<y>.)/, "[\\+\\0\\2\\&\\k<y>]") # => "[bababb]"
"ab".gsub(/(.)/, "[\\1]") # => "[a][b]"
"ab".sub(/(.)/, "\\k<1>") # raises IndexError: undefined group name reference: 1
"ab".sub("a", "\\k<0>") # raises IndexError: undefined group name reference: 0
"ab".sub(/(?<x>.)/, "\\k<y>") # raises IndexError: undefined group name reference: y
"ab".sub(/(?<x>.)/, "\\k<x") # raises RuntimeError: invalid group name reference format
"ab".sub(/(?<x>.)/, "\\kx\\") # => "\\kx\\b"
