# The picture characters of Japanese mobile carriers, between their encodings and in Unicode.
def text(code, encoding) = [code].pack("U").force_encoding(encoding)
def code(string) = string.codepoints.map { it.to_s(16) }

sun = { "UTF8-DoCoMo" => 0xE63E, "UTF8-KDDI" => 0xE488, "UTF8-SoftBank" => 0xE04A, "UTF-8" => 0x2600 }
wrong = sun.to_a.permutation(2).reject { |(a, from), (b, to)| text(from, a).encode(b) == text(to, b) }
wrong # => []

# Some are two characters elsewhere, some have no counterpart.
code(text(0xE6E0, "UTF8-DoCoMo").encode("UTF-8")) # => ["23", "20e3"]
code(text(0x26C5, "UTF-8").encode("UTF8-SoftBank")) # => ["e04a", "e049"]
text(0xE6A0, "UTF8-DoCoMo").encode("UTF8-KDDI") # raises Encoding::UndefinedConversionError
code(text(0x3042, "UTF8-KDDI").encode("UTF-8")) # => ["3042"]

"\xF8\x9F".dup.force_encoding("SJIS-DoCoMo").encode("SJIS-KDDI").b # => "\xF6`"
"\xF6\x60".dup.force_encoding("SJIS-KDDI").encode("ISO-2022-JP-KDDI").b # => "\e$BuA\e(B"
"\e$B$\"\e(Ba".dup.force_encoding("ISO-2022-JP-KDDI").encode("UTF-8") # => "あa"
"\x82\xA0".dup.force_encoding("SJIS-SoftBank").encode("EUC-JP").b # => "\xA4\xA2"
"\x90\xA4\xA2".dup.force_encoding("stateless-ISO-2022-JP-KDDI").encode("UTF8-KDDI") # raises Encoding::InvalidByteSequenceError: "\x90" on stateless-ISO-2022-JP-KDDI

Encoding::Converter.search_convpath("SJIS-DoCoMo", "Shift_JIS").map { |from, to| "#{from} #{to}" } # => ["SJIS-DoCoMo UTF8-DoCoMo", "UTF8-DoCoMo UTF-8", "UTF-8 Shift_JIS"]
Encoding::Converter.search_convpath("ISO-2022-JP-KDDI", "UTF8-KDDI").size # => 2
