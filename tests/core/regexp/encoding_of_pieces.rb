# encoding: UTF-8
# The encoding of a pattern: that of its program, for properties and escapes of bytes, too.
def in_encoding(source, name)
  pattern = eval(source.dup.force_encoding(name))
  [pattern.encoding.name, pattern.fixed_encoding?]
end
in_encoding('/\p{Hiragana}/', "EUC-JP") # => ["EUC-JP", true]
in_encoding('/\p{Alpha}/', "Windows-31J") # => ["Windows-31J", true]
in_encoding('/\p{Alpha}/', "US-ASCII") # => ["US-ASCII", true]
in_encoding('/\p{Alpha}/', "UTF-8") # => ["UTF-8", true]
in_encoding('/\377/', "BINARY") # => ["ASCII-8BIT", true]
in_encoding('/\377/', "UTF-8") # raises SyntaxError
in_encoding('x = %q(\xc2\xa1); /#{x}/', "US-ASCII") # => ["ASCII-8BIT", true]
in_encoding('x = %q(\377); /#{x}/', "US-ASCII") # => ["ASCII-8BIT", true]
in_encoding('x = %q(\x41); /#{x}/', "US-ASCII") # => ["US-ASCII", false]
in_encoding('/\u{3042}/', "EUC-JP") # => ["UTF-8", true]
in_encoding("/\u{a1}\\u{6666}/", "EUC-JP") # raises SyntaxError
in_encoding("/\u{a1}\\u{6666}/", "BINARY") # raises SyntaxError
in_encoding("/\u{a1}\\u{6666}/", "UTF-8") # => ["UTF-8", true]
# Parts that do not go together are an error when the literal runs.
japanese = "\x82\xA0".dup.force_encoding("Windows-31J")
pattern = '/#{"\u1234"}#{"'.dup.force_encoding("Windows-31J") + japanese + '"}/'
eval(pattern) # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and Windows-31J
# A part that ends within an escape is refused by itself.
eval('/#{"\\\\"}y/') # raises SyntaxError
eval('x = 1; /#{x}#{"\\\\"}y/') # raises SyntaxError
cut = "\\"
/#{cut}y/ # raises ArgumentError: too short escape sequence
