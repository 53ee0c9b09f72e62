# needs: 4.0
require "json"
JSON.generate([nil, true, 1, 2**70, 1.5, "a\"b\\c\n\u0001é/", :sym, { "k" => [], 2 => {} }]) # => "[null,true,1,1180591620717411303424,1.5,\"a\\\"b\\\\c\\n\\u0001é/\",\"sym\",{\"k\":[],\"2\":{}}]"
JSON.generate([1e20, 1e15, 1e14, 0.0001, 1e-10, 123456789.123, -0.0]) # => "[1e+20,1e+15,100000000000000.0,0.0001,1e-10,123456789.123,-0.0]"
JSON.generate("é\u{1F600}\u2028/", ascii_only: true) # => "\"\\u00e9\\ud83d\\ude00\\u2028/\""
JSON.generate("</script>\u2028", script_safe: true) # => "\"<\\/script>\\u2028\""
puts JSON.pretty_generate({ a: [1, { b: [] }], c: {} })
# prints: {
# prints:   "a": [
# prints:     1,
# prints:     {
# prints:       "b": []
# prints:     }
# prints:   ],
# prints:   "c": {}
# prints: }
JSON.generate([1, 2], array_nl: "\n", indent: "\t") # => "[\n\t1,\n\t2\n]"
JSON.generate(Float::NAN) # raises JSON::GeneratorError: NaN not allowed in JSON
JSON.generate([Float::INFINITY], allow_nan: true) # => "[Infinity]"
JSON.generate("\xff") # raises JSON::GeneratorError: source sequence is illegal/malformed utf-8
JSON.generate("\xE9".dup.force_encoding("ISO-8859-1")) # => "\"é\""
JSON.generate(Object.new, strict: true) # raises JSON::GeneratorError: Object not allowed in JSON
JSON.generate({ 1 => 2 }, strict: true) # raises JSON::GeneratorError: Integer not allowed as object key in JSON
JSON.generate(:sym, strict: true) # => "\"sym\""
circular = []
circular << circular
JSON.generate(circular) # raises JSON::NestingError: nesting of 101 is too deep. Did you try to serialize objects with circular references?
JSON.dump(circular) # raises SystemStackError: stack level too deep
class Money
  def initialize(n) = @n = n
  def to_json(state = nil, *) = { "money" => @n }.to_json(state)
end
puts JSON.pretty_generate([Money.new(5)])
# prints: [
# prints:   {
# prints:     "money": 5
# prints:   }
# prints: ]
class Named
  def to_s = "named"
end
JSON.generate([Named.new, { Named.new => 1 }]) # => "[\"named\",{\"named\":1}]"
[1, "a", nil].to_json # => "[1,\"a\",null]"
"é".to_json(ascii_only: true) # => "\"\\u00e9\""
JSON.dump({ "a" => 1 }) # => "{\"a\":1}"
JSON.dump([1], 3) # => "[1]"
require "stringio"
io = StringIO.new
JSON.dump([1], io).equal?(io) # => true
io.string # => "[1]"
coder = JSON::Coder.new { |object, is_key| is_key ? object.to_s : object.to_a }
coder.dump({ (1..2) => 3..4 }) # => "{\"1..2\":[3,4]}"
coder.load('{"a":1}') # => {"a" => 1}
JSON.generate({ a: 1, "a" => 2 }, allow_duplicate_key: false) # raises JSON::GeneratorError: detected duplicate key "a" in {a: 1, "a" => 2}
JSON.generate(JSON::Fragment.new("[1]")) # => "[1]"
state = JSON::State.new(indent: "  ", space: " ")
state.indent # => "  "
state.to_h.key?(:max_nesting) # => true
state.generate({ "a" => 1 }) # => "{  \"a\": 1}"
JSON.pretty_generate([]) # => "[]"
JSON.generate({ "b" => 1, "a" => 2 }, sort_keys: true) # => "{\"a\":2,\"b\":1}"
error = JSON.generate(Float::NAN) rescue $!
error.invalid_object.nan? # => true
