verbose, $VERBOSE = $VERBOSE, nil
default = Encoding.default_external
key = "\u3042".to_sym
shown = [Encoding::UTF_8, Encoding::US_ASCII, Encoding::Shift_JIS].map do |encoding|
  Encoding.default_external = encoding
  { key => 1, a: 2 }.inspect.encode("UTF-8")
end
Encoding.default_external = default
$VERBOSE = verbose
shown # => ["{あ: 1, a: 2}", "{\"\\u3042\": 1, a: 2}", "{\"\\u3042\": 1, a: 2}"]
