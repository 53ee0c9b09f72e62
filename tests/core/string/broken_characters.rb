# A text with broken characters is nowhere, has no case and is in no set.
def outcome
  result = yield
  result.is_a?(String) ? result.b : result
rescue => e
  [e.class, e.message]
end
broken = "\xA1".dup.force_encoding("EUC-JP")
whole = "\xA1\xA1".dup.force_encoding("EUC-JP")

"\xE3\x81\x82".include?("\xE3") # => false
"\xE3\x81\x82".index("\xE3") # => nil
"\xE3\x81\x82".partition("\xE3") # => ["あ", "", ""]
whole.rindex(broken) # => nil
whole.rpartition(broken).map(&:b) # => ["", "", "\xA1\xA1"]
outcome { "".scan(broken) } # => [RegexpError, "invalid multibyte character: /\\xA1/"]
outcome { "a".sub(broken, "") } # => [RegexpError, "invalid multibyte character: /\\xA1/"]
outcome { "\xE3a".scan("a") } # => [ArgumentError, "invalid byte sequence in UTF-8"]
outcome { "\xE3a".sub("a", "b") } # => "\xE3b"
outcome { broken.count("a") } # => [ArgumentError, "invalid byte sequence in EUC-JP"]
outcome { "a".count(broken) } # => [ArgumentError, "invalid byte sequence in EUC-JP"]
outcome { broken.delete("") } # => [ArgumentError, "invalid byte sequence in EUC-JP"]
outcome { broken.squeeze } # => [ArgumentError, "invalid byte sequence in EUC-JP"]
outcome { broken.tr("", "") } # => [ArgumentError, "invalid byte sequence in EUC-JP"]
outcome { "".tr(broken, "b") } # => ""
outcome { "b".tr("", broken) } # => "b"
outcome { broken.upcase } # => [ArgumentError, "input string invalid"]
outcome { "\x81".dup.force_encoding("Shift_JIS").swapcase } # => [ArgumentError, "input string invalid"]
outcome { "\xE3a".upcase(:ascii) } # => "\xE3A"
outcome { "\xFF".dup.force_encoding("US-ASCII").upcase } # => "\xFF"
"a-d".tr("a-d", "\x83\x7D-\x83\x80".dup.force_encoding("Shift_JIS")).bytes # => [131, 125, 45, 131, 128]

# Encodings that do not go together are found before an index that is out of the string.
outcome { text = "\xA1".b; text[-2] = whole } # => [Encoding::CompatibilityError, "incompatible character encodings: BINARY (ASCII-8BIT) and EUC-JP"]
outcome { text = "\xA1".b; text[-2, 1] = whole } # => [Encoding::CompatibilityError, "incompatible character encodings: BINARY (ASCII-8BIT) and EUC-JP"]
outcome { text = "\xA1".b; text[whole] = "x" } # => [Encoding::CompatibilityError, "incompatible character encodings: BINARY (ASCII-8BIT) and EUC-JP"]
outcome { "\xA1".b.slice!(whole) } # => [Encoding::CompatibilityError, "incompatible character encodings: BINARY (ASCII-8BIT) and EUC-JP"]
outcome { "\xA1".b.insert(3, whole) } # => [Encoding::CompatibilityError, "incompatible character encodings: BINARY (ASCII-8BIT) and EUC-JP"]
outcome { "%c".dup.force_encoding("EUC-JP") % 0xA1 } # => [ArgumentError, "invalid character"]

# What cannot end a text is not looked at; a newline of any encoding is a newline.
outcome { "a".chomp("\n".encode("UTF-16BE")) } # => "a"
outcome { "\xA1".b.chomp("\n".encode("UTF-16BE")) } # => "\xA1"
outcome { whole.chomp("\x81".dup.force_encoding("Windows-31J")) } # => [Encoding::CompatibilityError, "incompatible character encodings: EUC-JP and Windows-31J"]
"abc\r\n\n".encode("UTF-16LE").chomp("").encode("UTF-8") # => "abc"
