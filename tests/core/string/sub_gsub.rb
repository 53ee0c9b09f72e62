"hello".sub("l", "L") # => "heLlo"
"hello".gsub("l", "L") # => "heLLo"
"hello".gsub(/l/) { |m| m.upcase } # => "heLLo"
"hello".gsub(/(?<x>l)/, '[\k<x>]') # => "he[l][l]o"
"hello".gsub(/(l)(l)/, '\2\1\0\\\\') # => "hellll\\o"
"hello".gsub(/[el]/, "e" => "3", "l" => "1") # => "h311o"
"hello".gsub("l") { $& + "!" } # => "hel!l!o"
"hello".sub(/(e)/) { $1.upcase } # => "hEllo"
"abc".gsub(/x*/, "-") # => "-a-b-c-"
"héé".gsub(/é/, "e") # => "hee"
"a.b".gsub(".", "-") # => "a-b"
"hello".gsub(/l/) # => #<Enumerator: "hello":gsub(/l/)>
"hello".gsub(/l/).with_index.map { |m, i| i } # => [0, 1]
s = +"aaa"
s.sub!("a", "b") # => "baa"
s.gsub!("z", "") # => nil
s.gsub!(/a/, "c") # => "bcc"
"path/to".gsub("/", "::") # => "path::to"
"abc".tr("a-c", "A-C") # => "ABC"
"hello".tr("el", "ip") # => "hippo"
"hello".tr("^l", "*") # => "**ll*"
"hello".tr("a-y", "b-z") # => "ifmmp"
"hello".tr_s("l", "r") # => "hero"
"a-b".tr("-", "_") # => "a_b"
"abc".tr("a-c", "x") # => "xxx"
"abc".tr("b", "") # => "ac"
"a".sub(1, "") # raises TypeError: wrong argument type Integer (expected Regexp)
"a".sub("a") # raises ArgumentError: wrong number of arguments (given 1, expected 2)
