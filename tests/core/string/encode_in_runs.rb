# Long text converts as its characters do one by one, whatever stands where.
def same(text, to, from = text.encoding, **options)
  whole = text.dup.force_encoding(from).encode(to, **options)
  single = text.dup.force_encoding(from).chars.map { |c| c.encode(to, **options) }.join.force_encoding(to)
  whole == single
end
letters = "aé日本語ｱ\u{1F600}ü漢\n<"
sizes = ENV["RUBELLITE_STRESS"] == "gc" ? [250, 257] : [250, 255, 256, 257, 511, 700, 16_380, 20_000]
texts = sizes.map { |n| letters * (n / 12) + "あ" * (n % 12) + "\u{10FFFF}" + letters * 20 }
texts.all? { |t| same(t, "Shift_JIS", undef: :replace) } # => true
texts.all? { |t| same(t, "EUC-JP", undef: :replace, replace: "[none]") } # => true
texts.all? { |t| same(t, "US-ASCII", xml: :text) } # => true
texts.all? { |t| same(t, "ISO-8859-1", undef: :replace, replace: "") } # => true
texts.all? { |t| same(t, "GB18030") } # => true
texts.all? { |t| same(t, "Windows-1252", fallback: ->(c) { "{%X}" % c.ord }) } # => true
texts.all? { |t| same(t, "UTF-16LE") && same(t, "UTF-32BE") } # => true
texts.all? { |t| t.encode("UTF-16").encode("UTF-8") == t && t.encode("UTF-32").encode("UTF-8") == t } # => true
japanese = texts.map { |t| t.encode("EUC-JP", undef: :replace) }
japanese.all? { |t| same(t, "Shift_JIS", undef: :replace) && same(t, "UTF-8") && same(t, "UTF-16BE") } # => true
japanese.all? { |t| same(t.encode("Shift_JIS", undef: :replace), "EUC-JP") } # => true
# Errors tell the same place.
text = "日本" * 5_000 + "é" + "語"
text.encode("Shift_JIS") # raises Encoding::UndefinedConversionError: U+00E9 from UTF-8 to Shift_JIS
text.encode("EUC-JP", invalid: :replace).encode("Shift_JIS") # raises Encoding::UndefinedConversionError: "\x8F\xAB\xB1" from EUC-JP to Shift_JIS
("日本" * 5_000 + "\xFF" + "語").encode("UTF-16LE") # raises Encoding::InvalidByteSequenceError: "\xFF" on UTF-8
("日本" * 5_000).encode("UTF-16LE").byteslice(0, 19_999).encode("UTF-8") # raises Encoding::InvalidByteSequenceError: incomplete "," on UTF-16LE
converter = Encoding::Converter.new("UTF-8", "EUC-JP")
converter.convert("日本" * 5_000 + "\xE8") == ("日本" * 5_000).encode("EUC-JP") # => true
converter.convert("\xAA\x9E") == "語".encode("EUC-JP") # => true
