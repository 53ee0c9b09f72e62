# What the error about an unknown directive shows: the template as it is,
# or with escapes when some of it cannot be read.
[1].pack("y") # raises ArgumentError: unknown pack directive 'y' in 'y'
[1].pack("あ") # raises ArgumentError: unknown pack directive '\xe3' in 'あ'
[1].pack("C\u3042!") # raises ArgumentError: unknown pack directive '\xe3' in 'Cあ!'
"a".unpack("é") # raises ArgumentError: unknown unpack directive '\xc3' in 'é'
"a".unpack1("é") # raises ArgumentError: unknown unpack directive '\xc3' in 'é'
[1].pack("\xff") # raises ArgumentError: unknown pack directive '\xff' in '\xFF'
[1].pack("あ".b) # raises ArgumentError: unknown pack directive '\xe3' in '\xE3\x81\x82'
[1].pack("あ".encode("EUC-JP")) # raises ArgumentError: unknown pack directive '\xa4' in '\x{A4A2}'
[1].pack("\x01") # raises ArgumentError: unknown pack directive '\x01' in '\u0001'
[1].pack("\x7f") # raises ArgumentError: unknown pack directive '\x7f' in '\c?'
[1].pack("Y あ\n") # raises ArgumentError: unknown pack directive 'Y' in 'Y \u3042\n'
[1].pack("C\\\"\u{1F600}\x02") # raises ArgumentError: unknown pack directive '\' in 'C\"\u{1F600}\u0002'
[1].pack("あ".encode("UTF-16LE")) # raises Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16LE
"a".unpack("C".encode("UTF-16LE")) # raises Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16LE
