require "json"
JSON.generate({ a: [1, 2.5, nil, true], "b" => "x\n\u00e9\"" }) # => "{\"a\":[1,2.5,null,true],\"b\":\"x\\né\\\"\"}"
JSON.parse('{"a": [1, -2.5e3, null, false], "b": "\u00e9\n"}') # => {"a" => [1, -2500.0, nil, false], "b" => "é\n"}
JSON.parse('{"a": 1}', symbolize_names: true) # => {a: 1}
[1, "a", nil].to_json # => "[1,\"a\",null]"
"x".to_json # => "\"x\""
nil.to_json # => "null"
JSON.pretty_generate({ a: [1, { b: 2 }], c: {}, d: [] }) # => "{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}"
JSON.parse("[]") # => []
JSON.parse('"just a string"') # => "just a string"
JSON.parse("2") # => 2
JSON.dump({ a: 1 }) # => "{\"a\":1}"
JSON.generate("</script>") # => "\"</script>\""
JSON.parse("{") # raises JSON::ParserError
(JSON.parse("nope") rescue $!.class) # => JSON::ParserError
(JSON.generate(Float::NAN) rescue $!.class) # => JSON::GeneratorError
JSON.parse('{"a":1,"a":2}') # => {"a" => 2}
JSON.parse('[1e2, 12345678901234567890]') # => [100.0, 12345678901234567890]
{ 1 => :sym }.to_json # => "{\"1\":\"sym\"}"
class P; def to_json(*a) = { p: 1 }.to_json(*a); end
JSON.generate([P.new]) # => "[{\"p\":1}]"
JSON.parse('{"a":{"b":[{"c":null}]}}').dig("a", "b", 0, "c") # => nil
