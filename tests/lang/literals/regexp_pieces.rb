# encoding: utf-8
# The pieces of a regexp with interpolation are read each by itself, in its own encoding; characters, escapes of such
# and properties fix the encoding of the whole.
def look(re) = [re.source, re.encoding, re.fixed_encoding?, re.options]
bytes = /[\x80-\xff]/n
euc = /\xa4\xa2/e
ascii = "a".encode("US-ASCII")
escaped = "\\xff"
japanese = "\xa4\xa2".dup.force_encoding("EUC-JP")
half = "\\xa4".dup.force_encoding("EUC-JP")

look(/x#{bytes}/) # => ["x(?-mix:[\\x80-\\xff])", #<Encoding:BINARY (ASCII-8BIT)>, true, 16]
look(/x#{bytes}#{bytes}y/i) # => ["x(?-mix:[\\x80-\\xff])(?-mix:[\\x80-\\xff])y", #<Encoding:BINARY (ASCII-8BIT)>, true, 17]
look(/#{euc}x/) # => ["(?-mix:\\xa4\\xa2)x", #<Encoding:EUC-JP>, true, 16]
/é#{bytes}/ # raises RegexpError: encoding mismatch in dynamic regexp : UTF-8 and ASCII-8BIT
/#{bytes}é/ # raises RegexpError: encoding mismatch in dynamic regexp : ASCII-8BIT and UTF-8
/#{bytes}#{euc}/ # raises RegexpError: encoding mismatch in dynamic regexp : ASCII-8BIT and EUC-JP
/é#{euc}x/ # raises RegexpError: encoding mismatch in dynamic regexp : UTF-8 and EUC-JP
/é#{japanese}/ # raises RegexpError: encoding mismatch in dynamic regexp : UTF-8 and EUC-JP

# Escapes belong to the piece that they stand in.
/#{escaped}/ # raises ArgumentError: invalid multibyte escape
look(/#{escaped.b}/) # => ["\\xff", #<Encoding:BINARY (ASCII-8BIT)>, true, 16]
/#{escaped.b}a#{"\\u3042".dup}/ # raises RegexpError: encoding mismatch in dynamic regexp : ASCII-8BIT and UTF-8
look(/#{"\\u3042".encode("EUC-JP")}/) # => ["\\u3042", #<Encoding:UTF-8>, true, 16]
look(/\u3042#{"\\u3042".b}/) # => ["\\u3042\\u3042", #<Encoding:UTF-8>, true, 16]
/#{half}#{half}/ # raises ArgumentError: too short escaped multibyte character
/#{b = "\\x"; b}41/ # raises ArgumentError: invalid hex escape
/#{b = "\\u304"; b}2/ # raises ArgumentError: invalid Unicode escape
/#{b = "\\c"; b}a/ # raises ArgumentError: too short control escape
/#{b = "\\M-"; b}a/ # raises ArgumentError: too short meta escape
/[#{b = "x"; b}\]#{b = "\\"; b}]/ # raises ArgumentError: too short escape sequence
/#{b = "\\u3042\\xff".b; b}/ # raises ArgumentError: escaped non ASCII character in UTF-8 regexp
/#{b = "\\xff\\u3042".b; b}/ # raises ArgumentError: UTF-8 character in non UTF-8 regexp
/#{b = "\xe3"; b}a/ # raises ArgumentError: invalid multibyte character
look(/#{b = "\xe3".b; b}#{b = "\x81\x82".b; b}/) # => ["\xE3\x81\x82", #<Encoding:BINARY (ASCII-8BIT)>, true, 16]
/é#{b = "\x81\x82".b; b}/ # raises RegexpError: encoding mismatch in dynamic regexp : UTF-8 and ASCII-8BIT
/#{b = "\\xff".encode("US-ASCII"); b}/ # raises RegexpError: invalid multibyte escape: /\xff/
look(/é#{b = "\\xe3\\x81\\x82".encode("US-ASCII"); b}/) # => ["é\\xe3\\x81\\x82", #<Encoding:UTF-8>, true, 16]

# So do properties, which fix the encoding that their piece has.
look(/#{b = "\\p{Alpha}".b; b}/) # => ["\\p{Alpha}", #<Encoding:BINARY (ASCII-8BIT)>, true, 16]
/é#{b = "\\p{Alpha}".b; b}/ # raises RegexpError: encoding mismatch in dynamic regexp : UTF-8 and ASCII-8BIT

# What the whole is refused for names the pattern.
/#{b = "("; b}é/ # raises RegexpError: end pattern with unmatched parenthesis: /(é/
/x#{"a".encode("UTF-16LE")}/ # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and UTF-16LE

# Flags name the encoding of what the program writes, not of what is put in.
look(/#{ascii}/u) # => ["a", #<Encoding:UTF-8>, true, 16]
look(/#{ascii}/e) # => ["a", #<Encoding:EUC-JP>, true, 16]
look(/b#{ascii}/s) # => ["ba", #<Encoding:Windows-31J>, true, 16]
look(/#{ascii}/n) # => ["a", #<Encoding:US-ASCII>, false, 32]
look(/b#{"é".dup}/s) # => ["bé", #<Encoding:UTF-8>, true, 16]
look(/b#{japanese}/e) # => ["b\x{A4A2}", #<Encoding:EUC-JP>, true, 16]
look(/#{bytes}/u) # => ["(?-mix:[\\x80-\\xff])", #<Encoding:BINARY (ASCII-8BIT)>, true, 16]
look(/#{escaped}/n) # => ["\\xff", #<Encoding:BINARY (ASCII-8BIT)>, true, 48]
look(/é#{escaped.b}/n) # => ["\xC3\xA9\\xff", #<Encoding:BINARY (ASCII-8BIT)>, true, 48]
/#{b = "é"; b}/n # raises RegexpError: /.../n has a non escaped non ASCII character in non ASCII-8BIT script
/#{b = "\xe3"; b}/n # raises RegexpError: /.../n has a non escaped non ASCII character in non ASCII-8BIT script

# Beginnings: the first piece gives its encoding, or the source does.
look(/#{ascii}/) # => ["a", #<Encoding:US-ASCII>, false, 0]
look(/#{ascii}é/) # => ["aé", #<Encoding:UTF-8>, true, 16]
look(/#{:é}#{1}#{nil}/) # => ["é1", #<Encoding:UTF-8>, true, 16]

# What the program writes itself is refused before it runs.
eval('/\xE3#{1}/') # raises SyntaxError: (eval at TESTS/lang/literals/regexp_pieces.rb:68):1: too short escaped multibyte character: /\xE3/
eval('/#{1}\xE3\x81/e') # raises SyntaxError: (eval at TESTS/lang/literals/regexp_pieces.rb:69):1: invalid multibyte escape: /\xE3\x81/
eval('"x"; /#{1}#{"\\\\xE3"}\xE3\x81\x82#{2}\xE3/') # raises SyntaxError: (eval at TESTS/lang/literals/regexp_pieces.rb:70):1: too short escaped multibyte character: /\xE3/
eval('/\xE3#{1}/n').source # => "\\xE31"

# Regexps of libraries that are put together so.
re = Regexp.new('(\\\\[0-9a-f]{1,6}(\r\n|[ \n\r\t\f])*)',
                Regexp::IGNORECASE | Regexp::EXTENDED | Regexp::MULTILINE | Regexp::NOENCODING)
look(/(#{re}|é)/ix) # => ["((?mix:(\\\\[0-9a-f]{1,6}(\\r\\n|[ \\n\\r\\t\\f])*))|é)", #<Encoding:UTF-8>, true, 19]
/(#{re}|é)/ix =~ "x\\20 é" # => 1
Regexp.union(bytes, /é/) # raises ArgumentError: incompatible encodings: ASCII-8BIT and UTF-8
