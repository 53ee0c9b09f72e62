# Characters of two and four bytes: what splits, replaces and repairs looks at characters, not at bytes.

def show(value) = value.is_a?(Array) ? value.map { show(it) } : value.unpack1("H*")

wide = %w[UTF-16LE UTF-16BE UTF-32LE]

# A space splits at all white space.
wide.map { |e| show(" ab  cd\n e ".encode(e).split(" ".encode(e))) } # => [["61006200", "63006400", "6500"], ["00610062", "00630064", "0065"], ["6100000062000000", "6300000064000000", "65000000"]]
wide.map { |e| show("a b c".encode(e).split(" ".encode(e), 2)) } # => [["6100", "620020006300"], ["0061", "006200200063"], ["61000000", "620000002000000063000000"]]

# References in what replaces.
wide.map { |e| "a,b".encode(e).sub(",".encode(e), "[\\0]".encode(e)).encode("UTF-8") } # => ["a[,]b", "a[,]b", "a[,]b"]
wide.map { |e| "ab".encode(e).gsub(Regexp.new("(?<x>.)".encode(e)), "\\k<x>\\\\1".encode(e)).encode("UTF-8") } # => ["a\\1b\\1", "a\\1b\\1", "a\\1b\\1"]
"a,b".encode("Shift_JIS").sub(",", "ソ0ソ".encode("Shift_JIS")).encode("UTF-8") # => "aソ0ソb"
"a,b".encode("GBK").gsub(/[ab]/, "乗\\0".encode("GBK")).encode("UTF-8") # => "乗a,乗b"

# The bytes of a newline within characters end no paragraph.
wide.map { |e| "a\u0a0a\u0a0ab\n\n\nc\r\n\r\nd".encode(e).lines("".encode(e)).map { it.encode("UTF-8") } } # => [["aਊਊb\n\n", "c\r\n\r\n", "d"], ["aਊਊb\n\n", "c\r\n\r\n", "d"], ["aਊਊb\n\n", "c\r\n\r\n", "d"]]
wide.map { |e| "a\n\nb".encode(e).lines("".encode(e), chomp: true).map { it.encode("UTF-8") } } # => [["a", "b"], ["a", "b"], ["a", "b"]]

# Broken parts are whole units.
def parts(bytes, encoding)
  found = []
  whole = bytes.b.force_encoding(encoding).scrub { |part| found << part.unpack1("H*"); "?".encode(encoding) }
  [found, whole.unpack1("H*")]
end
parts("\x00\xD8\x42\x30", "UTF-16LE") # => [["00d8"], "3f004230"]
parts("\x00\xDC\x41\x00", "UTF-16LE") # => [["00dc"], "3f004100"]
parts("\x30\xD8\x30\x41", "UTF-16LE") # => [["30d8"], "3f003041"]
parts("\xD8\x00\x30\x42", "UTF-16BE") # => [["d800"], "003f3042"]
parts("\x00\xD8\x00\xD8\x00\xDC", "UTF-16LE") # => [["00d8"], "3f0000d800dc"]
"\x00\xD8\x42\x30".b.force_encoding("UTF-16LE").scrub == "\uFFFD\u3042".encode("UTF-16LE") # => true

# An empty pattern keeps its encoding; what is left of the text must go with what replaces.
wide.map { |e| Regexp.new("".encode(e)).encoding } # => [#<Encoding:UTF-16LE>, #<Encoding:UTF-16BE>, #<Encoding:UTF-32LE>]
"abcd".b.force_encoding("UTF-16BE").gsub(Regexp.new(".".encode("UTF-16BE")), "xy") # => "xyxy"
"ab\0\ncd".b.force_encoding("UTF-16BE").gsub(Regexp.new(".".encode("UTF-16BE")), "xy") # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and UTF-16BE

# The last character, broken or made of two.
"\u{10000}".encode("CESU-8").chop # => ""
"a\u{10000}".encode("CESU-8").chop # => "a"
%W[\x81\x30 \x2f\x81\x30\x81 \x81\x30\x81\x30\x81].map { |s| s.b.force_encoding("GB18030").chop.b } # => ["", "/", "\x810\x810"]

# What is escaped are characters, not the bytes of others.
"<>\u6E7F".encode("ISO-2022-JP").encode("ISO-2022-JP", xml: :text).encode("UTF-8") # => "&lt;&gt;湿"
"<>\u6E7F".encode("ISO-2022-JP").encode("ISO-2022-JP", xml: :attr).encode("UTF-8") # => "\"&lt;&gt;湿\""
