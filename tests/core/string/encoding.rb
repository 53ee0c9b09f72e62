s = "é"
s.encoding # => #<Encoding:UTF-8>
s.force_encoding("BINARY").size # => 2
s.force_encoding("UTF-8").size # => 1
"é".encode("ISO-8859-1").bytes # => [233]
"\xe9".dup.force_encoding("ISO-8859-1").encode("UTF-8") # => "é"
"\xff".encode("UTF-16") # raises Encoding::InvalidByteSequenceError: "\xFF" on UTF-8
"é".encode("US-ASCII") # raises Encoding::UndefinedConversionError: U+00E9 from UTF-8 to US-ASCII
"é".encode("US-ASCII", undef: :replace) # => "?"
"é".encode("US-ASCII", fallback: { "é" => "e" }) # => "e"
"a\xffb".scrub # => "a�b"
"a\xffb".scrub("?") # => "a?b"
"\xff".valid_encoding? # => false
"abc".ascii_only? # => true
"é".b.encoding # => #<Encoding:BINARY (ASCII-8BIT)>
"é".unicode_normalize(:nfd).size # => 2
("é" + "a".b).encoding # => #<Encoding:UTF-8>
"é" + "\xff".b # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and BINARY (ASCII-8BIT)
"a" == "a".encode("UTF-16LE") # => false
"é" == "é".b # => false
Encoding.compatible?("a", "é".b) # => #<Encoding:BINARY (ASCII-8BIT)>
Encoding.default_external # => #<Encoding:UTF-8>
Encoding.default_internal # => nil
"é".encode("UTF-8", "ISO-8859-1") # => "Ã©"
"a".encode("nope") # raises Encoding::ConverterNotFoundError: code converter not found (UTF-8 to nope)
"a\r\nb".encode(universal_newline: true) # => "a\nb"
"<é>".encode("US-ASCII", xml: :text) # => "&lt;&#xE9;&gt;"
Encoding.find("locale").class # => Encoding
Encoding::UTF_8.names.first # => "UTF-8"
"é".getbyte(0) # => 195
