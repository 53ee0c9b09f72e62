"ab".ljust(5, "12") # => "ab121"
"ab".rjust(5) # => "   ab"
"ab".center(6, "*") # => "**ab**"
"é".rjust(3, "-") # => "--é"
"abc".ljust(2) # => "abc"
"a".ljust(5, "") # raises ArgumentError: zero width padding
"abc" * 0 # => ""
"abc" * -1 # raises ArgumentError: negative argument
"%-5s|%05.1f|%+d|%x|%o|%b|%e|%c|%%" % ["a", 3.14159, 5, 255, 8, 5, 12345.678, "z"] # => "a    |003.1|+5|ff|10|101|1.234568e+04|z|%"
"%s and %p" % ["str", "str"] # => "str and \"str\""
"%<a>d %{b}" % { a: 1, b: 2 } # => "1 2"
"%08b" % 37 # => "00100101"
"%+x" % -255 # => "-ff"
"%#x %#o" % [255, 8] # => "0xff 010"
"%.3s" % "abcdef" # => "abc"
"%*d" % [5, 1] # => "    1"
"% d" % 5 # => " 5"
"%x" % -1 # => "..f"
"%d" % "a" # raises ArgumentError: invalid value for Integer(): "a"
"%d" % [] # raises ArgumentError: too few arguments
"%z" % 1 # raises ArgumentError: malformed format string - %z
format("%05d", -42) # => "-0042"
format("%.10g", 1.0 / 3) # => "0.3333333333"
format("%g", 1e10) # => "1e+10"
format("%a", 1.0) # => "0x1p+0"
format("%s", nil) # => ""
format("%d", 3.99) # => "3"
format("%d", "0x1f".hex) # => "31"
format("%.2f", 2.675) # => "2.68"
format("%.0f", 0.5) # => "0"
format("%5.1f%%", 99.55) # => " 99.6%"
format("%-+8.2e|", 12345.678) # => "+1.23e+04|"
format("%d", 2**70) # => "1180591620717411303424"
format("%x", 2**70) # => "400000000000000000"
format("%1$s %2$s %1$s", "a", "b") # => "a b a"

# Long ones are made piece by piece.
long = "héé".center(3_000_003, "äbc")
[long.size, long.bytesize, long[0, 4], long[1_499_998, 7], long[-4..]] # => [3000003, 4000005, "äbcä", "bchééäb", "cäbc"]
[long.count("ä"), long.count("b"), long.count("c"), long.valid_encoding?] # => [1000000, 1000000, 1000000, true]
("x" * 3_000_000).rjust(3_000_002) == "  " + "x" * 3_000_000 # => true
"".ljust(2_000_000, "ab") == "ab" * 1_000_000 # => true
