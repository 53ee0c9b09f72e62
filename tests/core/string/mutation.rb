s = +"abc"
s.concat("d", "e") # => "abcde"
s << 0x1f600 # => "abcde😀"
s.prepend(">") # => ">abcde😀"
s.reverse # => "😀edcba>"
s.reverse! # => "😀edcba>"
s.upcase! # => "😀EDCBA>"
s.swapcase! # => "😀edcba>"
s.squeeze! # => nil
s.chomp!("x") # => nil
s.freeze.frozen? # => true
s << "a" # raises FrozenError: can't modify frozen String: "😀edcba>"
t = +"a"
u = t
t += "b"
u # => "a"
"abc".each_char.map(&:ord).sum # => 294
"abc".sum # => 294
"abc".crypt("ab") rescue 1 # => "abFZSxKKdq5s6"
"ab".unpack("a") + ["x"] # => ["a", "x"]
"a".encoding == "a".dup.encoding # => true
