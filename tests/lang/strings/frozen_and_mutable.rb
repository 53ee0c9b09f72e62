a = "abc"
b = a
b << "d"
a # => "abcd"
c = a.dup
c << "e"
a # => "abcd"
a.equal?(b) # => true
d = -"interned"
d.frozen? # => true
d.equal?(-"interned") # => true
(+d).frozen? # => false
a.freeze
a.upcase! # raises FrozenError: can't modify frozen String: "abcd"
a[0] = "z" # raises FrozenError: can't modify frozen String: "abcd"
