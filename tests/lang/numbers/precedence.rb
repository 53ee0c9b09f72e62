2 + 3 * 4 ** 2 # => 50
-2 ** 2 # => -4
(-2) ** 2 # => 4
2 ** 3 ** 2 # => 512
!true || true # => true
not true || true # => false
1 + 1 == 2 && 3 # => 3
1 | 2 & 3 # => 3
1 << 2 + 1 # => 8
5 - 2 - 1 # => 2
(true and false or true) # => true
a = false || true
a # => true
b = (false or true)
b # => true
1..2 == (1..2) rescue $!.class # => ArgumentError
-2.abs # => 2
+3 # => 3
~5 # => -6
1 <=> 2 # => -1
