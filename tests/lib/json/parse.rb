# needs: 4.0
require "json"
JSON.parse('{"a": [1, -2.5, 1e3, "x\u00e9\n", true, false, null], "b": {}}') # => {"a" => [1, -2.5, 1000.0, "xé\n", true, false, nil], "b" => {}}
JSON.parse(' [ ] ') # => []
JSON.parse('"\ud83d\ude00 \/ \\\\ \""') # => "😀 / \\ \""
JSON.parse('123456789012345678901234567890') # => 123456789012345678901234567890
JSON.parse('-0') # => 0
JSON.parse('-0.0') # => -0.0
JSON.parse('{"a":1}', symbolize_names: true) # => {a: 1}
JSON.parse('[NaN, Infinity, -Infinity]', allow_nan: true) # => [NaN, Infinity, -Infinity]
JSON.parse('[NaN]') # raises JSON::ParserError: unexpected token 'NaN]' at line 1 column 2
JSON.parse('[1, 2,]', allow_trailing_comma: true) # => [1, 2]
JSON.parse('{"a": 1,}', allow_trailing_comma: true) # => {"a" => 1}
JSON.parse("[1, // one\n /* two */ 2]") # => [1, 2]
JSON.parse('[1.5]', decimal_class: String) # => ["1.5"]
JSON.parse('{"a":[1]}', freeze: true).frozen? # => true
JSON.parse('{"a":[1]}', object_class: Class.new(Hash), array_class: Class.new(Array))["a"].class.superclass # => Array
JSON.parse('') # raises JSON::ParserError: unexpected end of input at line 1 column 1
JSON.parse('[1, 2') # raises JSON::ParserError: expected ',' or ']' after array value at line 1 column 6
JSON.parse('[1 2]') # raises JSON::ParserError: expected ',' or ']' after array value at line 1 column 4
JSON.parse('{"a" 1}') # raises JSON::ParserError: expected ':' after object key at line 1 column 6
JSON.parse('{"a": 1 "b"}') # raises JSON::ParserError: expected ',' or '}' after object value, got: '"b"}' at line 1 column 9
JSON.parse('{a: 1}') # raises JSON::ParserError: expected object key, got 'a:' at line 1 column 2
JSON.parse('{"a": 1, b: 2}') # raises JSON::ParserError: expected object key, got: 'b:' at line 1 column 10
JSON.parse('[tru]') # raises JSON::ParserError: unexpected token 'tru]' at line 1 column 2
JSON.parse("[\n1,\n  01]") # raises JSON::ParserError: invalid number: '01]' at line 3 column 3
JSON.parse('[1.]') # raises JSON::ParserError: invalid number: '1.]' at line 1 column 2
JSON.parse('["abc') # raises JSON::ParserError: unexpected end of input, expected closing " at line 1 column 6
JSON.parse('["a\x"]') # raises JSON::ParserError: invalid escape character in string: '\x"]' at line 1 column 4
JSON.parse("[\"a\tb\"]") # raises JSON::ParserError: invalid ASCII control character in string: 	b"] at line 1 column 4
JSON.parse('["\ud800"]') # raises JSON::ParserError: incomplete surrogate pair at '\ud800"]' at line 1 column 3
JSON.parse('["\u12"]') # raises JSON::ParserError: incomplete unicode character escape sequence at '\u12"]' at line 1 column 3
JSON.parse('[] x') # raises JSON::ParserError: unexpected token at end of stream 'x' at line 1 column 4
JSON.parse("\0") # raises JSON::ParserError: unexpected NULL byte:  at line 1 column 1
JSON.parse("[" * 102 + "]" * 102) # raises JSON::NestingError: nesting of 101 is too deep
deep = JSON.parse("[" * 100_000 + "]" * 100_000, max_nesting: false)
deep.size # => 1
JSON.parse('{"a":1,"a":2}', allow_duplicate_key: false) # raises JSON::ParserError: duplicate key "a" at line 1 column 1
JSON.parse('{"a":1,"a":2}', allow_duplicate_key: true) # => {"a" => 2}
error = JSON.parse("[1,\n2,\nx]") rescue $!
[error.line, error.column] # => [3, 1]
seen = []
JSON.load('{"a":[1,null]}', ->(value) { seen << value; value })
seen # => ["a", 1, nil, [1, nil], {"a" => [1, nil]}]
JSON.load(nil) # => nil
JSON.load("") # => nil
JSON.parse(nil) # raises TypeError: no implicit conversion of nil into String
JSON.parse("\xE9".dup.force_encoding("ISO-8859-1").then { |s| "[\"".encode("ISO-8859-1") + s + "\"]" }) # => ["é"]
JSON::Parser.new("[1]").parse # => [1]
JSON["[1]"] # => [1]
JSON.parse('{"name": 1}').keys.first.equal?(-"name") # => true
JSON.parse('"text"', freeze: true).equal?(-"text") # => true
JSON.load('{"a": 1, "a": 2}', ->(v) { v == "a" ? :key : v }, allow_duplicate_key: false) # raises JSON::ParserError: duplicate key :key at line 1 column 1
