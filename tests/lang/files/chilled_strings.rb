s = "literal"
s.frozen? # => false
s << " changed" # => "literal changed"
