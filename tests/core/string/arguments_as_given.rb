# Messages and order of checks of arguments.
"a" =~ "b" # raises TypeError: type mismatch: String given
:a =~ "b" # raises TypeError: type mismatch: String given
"a".upcase(1) # raises ArgumentError: invalid option
"a".upcase(:b) # raises ArgumentError: invalid option
"a".upcase(1, 2) # raises ArgumentError: too many options
"a".upcase(:turkic, :ascii) # raises ArgumentError: invalid second option
"a".downcase(:fold, :ascii) # raises ArgumentError: too many options
"a".swapcase(:fold) # raises ArgumentError: option :fold only allowed for downcasing
"I".downcase(:turkic, :lithuanian) # => "ı"
"a".partition(1) # raises TypeError: wrong argument type Integer (expected Regexp)
"a".rpartition(nil) # raises TypeError: wrong argument type nil (expected Regexp)
"a".sub # raises ArgumentError: wrong number of arguments (given 0, expected 2)
"a".sub("a") # raises ArgumentError: wrong number of arguments (given 1, expected 2)
"a".sub { } # raises ArgumentError: wrong number of arguments (given 0, expected 1..2)
+"a".sub! # raises ArgumentError: wrong number of arguments (given 0, expected 2)
"a".scrub!("x") { } # raises ArgumentError: both of block and replacement given
"a".dup.append_as_bytes(nil) # raises TypeError: wrong argument type NilClass (expected String or Integer)
"a".encode("") # raises Encoding::ConverterNotFoundError: code converter not found (UTF-8)
"a".b.unicode_normalize(:x) # raises Encoding::CompatibilityError: Unicode Normalization not appropriate for ASCII-8BIT
"\xff".b.unicode_normalized? # raises Encoding::CompatibilityError: Unicode Normalization not appropriate for ASCII-8BIT
"a".dup.force_encoding("a".encode("UTF-16LE")) # raises ArgumentError: invalid encoding name (non ASCII)
:abc.inspect.encoding # => #<Encoding:US-ASCII>
:"é".inspect.encoding # => #<Encoding:UTF-8>
"éab".match(/a/)[-1] # => nil
"éab".match(/a/).values_at(-1) # => [nil]
"ab".match(/(a)(b)/)[-3] # => nil
"ab".match(/(a)(b)/)[-2] # => "a"
"a".match(/a/).deconstruct_keys(true) # raises TypeError: wrong argument type true (expected Array)
Regexp.union(:a) # => /a/
Regexp.union("a", :b) # raises TypeError: no implicit conversion of Symbol into String
