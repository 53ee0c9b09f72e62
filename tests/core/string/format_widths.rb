sprintf("%*s", -2**31, "") # raises ArgumentError: width too big
sprintf("%*999999999999999999999d", 1) # raises ArgumentError: width too big
sprintf("%.*999999999999999999999d", 1) # raises ArgumentError: prec too big
sprintf("%*d", -3, -1) # => "-1 "
