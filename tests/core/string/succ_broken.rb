# Broken characters are passed over; where there is nothing else, one byte is put in front.
["\xE3\x81", "\xE3", "\xFF", "\xE3\xFF", "\xF0\x9F\x98"].map(&:succ) # => ["\u0001\xE3\x81", "\u0001\xE3", "\u0001\xFF", "\u0001\xE3\xFF", "\u0001\xF0\x9F\x98"]
["-\xE3\x81", "\xE3\x81-", "a\xE3", "あ\xE3"].map(&:succ) # => [".\xE3\x81", "\xE3\x81.", "b\xE3", "ぃ\xE3"]
"\xE3\x81".b.succ # => "\xE3\x82"
["\x8F".dup.force_encoding("EUC-JP").succ, "\x81".dup.force_encoding("Shift_JIS").succ].map(&:bytes) # => [[1, 143], [1, 129]]
"\x00\xD8".dup.force_encoding("UTF-16LE").succ.bytes # => [1, 0, 216]
"\xE3\x81".dup.succ! # => "\u0001\xE3\x81"
