# Escapes, shifts and half-width kana of the ISO-2022-JP family; the decorator for ampersands alone.
"\x0e".encode("UTF-8", "ISO-2022-JP") # raises Encoding::InvalidByteSequenceError: "\x0E" on ISO-2022-JP
"\e(I12\e(B".encode("UTF-8", "ISO-2022-JP") # raises Encoding::InvalidByteSequenceError: "\e(" followed by "I" on ISO-2022-JP
"\x0E\xB1".b.encode("UTF-8", "CP50221") # => "ｱ"
"\x8E\xA1\x8E\xFE".b.encode("CP50220", "CP51932").b # => "\e$B!#\e(I~\e(B"
"\xB6\xDE\xCA\xDF".b.encode("CP50220", "Shift_JIS").b # => "\e$B%,%Q\e(B"
Encoding::Converter.new("", "amp_escape").convert("&<>\"") # => "&amp;<>\""
"a".encode("UTF-16BE", invalid: :other) # raises ArgumentError: unknown value for invalid character option
"a".encode("UTF-16BE", replace: "\xff") # raises ArgumentError: replacement string is broken: "\xFF" as UTF-8
