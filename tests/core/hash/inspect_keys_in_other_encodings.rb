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

# A byte of a character that looks like a bracket is none.
verbose, $VERBOSE = $VERBOSE, nil
Encoding.default_external = Encoding::Windows_31J
sjis = { "\u30bd".encode("Windows-31J").to_sym => 1 }.inspect
Encoding.default_external = default
$VERBOSE = verbose
sjis.encode("UTF-8") # => "{ソ: 1}"
{ "a b": 1, "1a": 2, a?: 3, "a=": 4, "": 5, "?": 6, _: 7 } # => {"a b": 1, "1a": 2, a?: 3, "a=": 4, "": 5, "?": 6, _: 7}
