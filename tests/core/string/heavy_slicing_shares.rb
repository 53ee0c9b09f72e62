long = "x" * 1000 + "end"
tail = long[1000..]
long << "more"
tail # => "end"
long[-4..] # => "more"
copy = long.dup
copy[0] = "y"
long[0] # => "x"
sub = long[10, 900]
sub.upcase!
long[10] # => "x"
sub[0] # => "X"
