# Lists of strings in one encoding, and others

[1, 2, "a", :b, nil, [3, [4]]].join("-") # => "1-2-a-b--3-4"
["é".encode("UTF-16LE"), "b".encode("UTF-16LE")].join.encoding # => #<Encoding:UTF-16LE>
["a".b, "b"].join.encoding # => #<Encoding:BINARY (ASCII-8BIT)>
["a", "é".b].join.encoding # => #<Encoding:BINARY (ASCII-8BIT)>
["é", "é".b].join # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and BINARY (ASCII-8BIT)
["a", "b"].join("é").encoding # => #<Encoding:UTF-8>
["a".force_encoding("US-ASCII")].join("é").encoding # => #<Encoding:US-ASCII>
["a".force_encoding("US-ASCII"), "b".force_encoding("US-ASCII")].join("é").encoding # => #<Encoding:UTF-8>
[1, "é"].join.encoding # => #<Encoding:UTF-8>
["é", 1].join # => "é1"
[1, 2].join.encoding # => #<Encoding:US-ASCII>
[1, "é".encode("UTF-16LE")].join # raises Encoding::CompatibilityError: incompatible character encodings: US-ASCII and UTF-16LE
["a", "b"].join("").ascii_only? # => true
["é", "b"].join(",").valid_encoding? # => true
