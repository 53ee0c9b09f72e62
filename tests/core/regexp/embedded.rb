# A pattern as a part of another one: in its own encoding, in a union without escapes for slashes.
Regexp.union(/\//, "").source # => "(?-mix:/)|"
Regexp.union(/\//, "") == eval(Regexp.union(/\//, "").inspect) # => true
/\//.to_s # => "(?-mix:\\/)"
wide = Regexp.new("abc\u3042".encode("UTF-16LE")).to_s
[wide.encoding, wide.encode("UTF-8")] # => [#<Encoding:UTF-16LE>, "(?-mix:abcあ)"]
wide = Regexp.new("abc".encode("UTF-32BE")).to_s
[wide.encoding, wide.encode("UTF-8")] # => [#<Encoding:UTF-32BE>, "(?-mix:abc)"]
