# Letters beyond ASCII in encodings of one byte a character: classes and cases as each encoding has them.

def kinds(encoding, bytes)
  string = bytes.pack("C*").force_encoding(encoding)
  %w[alpha upper lower punct print graph space word cntrl].to_h do |name|
    [name.to_sym, string.chars.map { |c| c.match?(Regexp.new("[[:#{name}:]]")) ? 1 : 0 }.join]
  end
end

def same?(encoding, a, b)
  a, b = [a, b].map { |byte| byte.chr.force_encoding(encoding) }
  r = Regexp.new(Regexp.escape(a), Regexp::IGNORECASE)
  [r.match?(b), Regexp.new("[#{a}]", Regexp::IGNORECASE).match?(b)]
end

# The sharp s and what quotes, currencies and accents are in one and not in another.
kinds("Windows-1252", [0x80, 0x8a, 0x9a, 0xa0, 0xb2, 0xb5, 0xe9, 0xf7]) # => {alpha: "01100110", upper: "01000000", lower: "00100110", punct: "00000000", print: "11111111", graph: "11101111", space: "00010000", word: "01101110", cntrl: "00000000"}
kinds("Windows-1250", [0x8c, 0x9c, 0xa3, 0xb3, 0xb9, 0xd7, 0xe9, 0xff]) # => {alpha: "11111010", upper: "10100000", lower: "01011010", punct: "00000000", print: "11111111", graph: "11111111", space: "00000000", word: "11111010", cntrl: "00000000"}
kinds("Windows-1253", [0xa2, 0xb8, 0xb9, 0xc0, 0xd2, 0xe1, 0xf2, 0xff]) # => {alpha: "11110110", upper: "11100000", lower: "00010110", punct: "00000000", print: "11110110", graph: "11110110", space: "00000000", word: "11110110", cntrl: "00000000"}
kinds("Windows-1254", [0x8a, 0x9c, 0xd0, 0xdd, 0xf0, 0xfd, 0xfe, 0xff]) # => {alpha: "11111111", upper: "10110000", lower: "01001111", punct: "00000000", print: "11111111", graph: "11111111", space: "00000000", word: "11111111", cntrl: "00000000"}
kinds("Windows-1255", [0x9a, 0xa0, 0xe0, 0xfa, 0xfb, 0xfd, 0xfe, 0xb2]) # => {alpha: "00110000", upper: "00000000", lower: "00000000", punct: "00000000", print: "01110001", graph: "00110001", space: "01000000", word: "00110001", cntrl: "10000000"}
kinds("Windows-1256", [0x81, 0xc1, 0xc7, 0xd7, 0xe1, 0xed, 0xa1, 0xa0]) # => {alpha: "01111100", upper: "00000000", lower: "00000000", punct: "00000000", print: "01111101", graph: "01111100", space: "00000001", word: "01111100", cntrl: "10000000"}
kinds("Windows-874", [0xa0, 0xa1, 0xce, 0xdb, 0xdf, 0xe0, 0xf0, 0xfc]) # => {alpha: "01101110", upper: "00000000", lower: "00000000", punct: "00000000", print: "11101110", graph: "01101110", space: "10000000", word: "01101110", cntrl: "00000000"}
kinds("KOI8-U", [0xa4, 0xa6, 0xad, 0xb4, 0xb7, 0xbd, 0xc1, 0xe1]) # => {alpha: "11111111", upper: "00011101", lower: "11100010", punct: "00000000", print: "11111111", graph: "11111111", space: "00000000", word: "11111111", cntrl: "00000000"}

same?("Windows-1252", 0x8a, 0x9a) # => [true, true]
same?("Windows-1252", 0xff, 0x9f) # => [true, true]
same?("Windows-1252", 0xe9, 0xc9) # => [true, true]
same?("Windows-1252", 0xe9, 0xe8) # => [false, false]
same?("Windows-1250", 0xa3, 0xb3) # => [true, true]
same?("Windows-1250", 0xa1, 0xb1) # => [false, false]
same?("Windows-1251", 0x80, 0x90) # => [true, true]
same?("Windows-1251", 0xa8, 0xb8) # => [true, true]
same?("Windows-1253", 0xa2, 0xdc) # => [true, true]
same?("Windows-1254", 0xdd, 0xfd) # => [false, false]
same?("Windows-1257", 0xa8, 0xb8) # => [true, true]
same?("ISO-8859-3", 0xa9, 0xb9) # => [false, false]
same?("ISO-8859-4", 0xbd, 0xbf) # => [true, true]
same?("ISO-8859-7", 0xd2, 0xf2) # => [false, false]
same?("ISO-8859-9", 0xdd, 0xfd) # => [false, false]
same?("KOI8-U", 0xa4, 0xb4) # => [true, true]
same?("KOI8-R", 0xa4, 0xb4) # => [false, false]
same?("KOI8-R", 0xc1, 0xe1) # => [true, true]

# The sharp s is two letters.
%w[Windows-1250 Windows-1252 Windows-1253 ISO-8859-1 ISO-8859-5].map { |e| Regexp.new("\xdf".b.force_encoding(e), "i").match?("xSSx") } # => [true, true, false, true, false]
%w[Windows-1250 Windows-1252 Windows-1253].map { |e| /ss/i.match?("\xdf".b.force_encoding(e)) } # => [true, true, false]

# What is written twice, in the other case.
"\x9A\x8A".b.force_encoding("Windows-1252").match?(Regexp.new("^(\x8A)\\1$".b.force_encoding("Windows-1252"), "i")) # => true
"r\xE9sum\xC9, d\xE9j\xE0".b.force_encoding("Windows-1252").scan(/[[:alpha:]]+/).map(&:b) # => ["r\xE9sum\xC9", "d\xE9j\xE0"]
"\x8a\x9akoda".b.force_encoding("Windows-1250").scan(/\b/).size # => 2
