# Wide Latin, Greek and Cyrillic letters have case in the encodings of Japanese, narrow Katakana are parts of words.

greek = [*"Α".."Ρ", *"Σ".."Ω"].zip([*"α".."ρ", *"σ".."ω"])
pairs = ("Ａ".."Ｚ").zip("ａ".."ｚ") + greek + ("А".."Я").zip("а".."я")
encodings = %w[Shift_JIS Windows-31J EUC-JP CP51932]
encodings.map { |e| pairs.count { |a, b| Regexp.new(a.encode(e), "i").match?(b.encode(e)) } } # => [82, 82, 82, 82]
encodings.map { |e| pairs.count { |a, b| Regexp.new("[#{b.encode(e)}]", "i").match?(a.encode(e)) } } # => [82, 82, 82, 82]
encodings.map { |e| pairs.count { |a, b| Regexp.new(a.encode(e)).match?(b.encode(e)) } } # => [0, 0, 0, 0]
encodings.map { |e| Regexp.new("(ａ)(a)\\1\\2".encode(e), "i").match?("ａaＡA".encode(e)) } # => [true, true, true, true]
encodings.map { |e| Regexp.new("ABCａ".encode(e), "i").match?("abcＡ".encode(e)) } # => [true, true, true, true]
encodings.map { |e| "ｱｲa漢 、".encode(e).chars.map { |c| c.match?(/[[:word:]]/) ? 1 : 0 } } # => [[1, 1, 1, 1, 0, 1], [1, 1, 1, 1, 0, 1], [1, 1, 1, 1, 0, 1], [1, 1, 1, 1, 0, 1]]
encodings.map { |e| "ｱｲ漢字かな 仮名".encode(e).scan(/[[:word:]]+/).size } # => [2, 2, 2, 2]
encodings.map { |e| "Ｂ".encode(e).match?(Regexp.new("[ａ-ｃ]".encode(e), "i")) } # => [true, true, true, true]
