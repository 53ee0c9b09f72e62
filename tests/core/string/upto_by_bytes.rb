# `upto` ends behind the first string that has more bytes than the last one, however many characters they have.
"^漢漢".upto("Σ漢\n").to_a # => ["^漢漢"]
".Σ".upto("Ab").to_a # => [".Σ"]
"ab\t".upto("ßbA").first(3) # => ["ab\t", "ac\t", "ad\t"]
("a".."e").to_a # => ["a", "b", "c", "d", "e"]
"y".upto("ab").to_a # => []
"x".upto("ab").to_a # => []
