"\xe3\x81\x82".delete_prefix("\xe3") # => "あ"
"\x95\x5c".dup.force_encoding("Shift_JIS").delete_prefix("\x95").bytes # => [149, 92]
"\x95\x5c".dup.force_encoding("Shift_JIS").delete_suffix("\x95").bytes # => [149, 92]
'"\u3042".dup.force_encoding("UTF-16LE")'.undump # raises RuntimeError: dumped string contained Unicode escape but used force_encoding
"a\xE3\x81".grapheme_clusters # => ["a"]
"a\xFF".grapheme_clusters # => ["a", "\xFF"]

# A string that its block changes is no longer split.
text = "abc " * 20
text.split { text.prepend("xxx") } # raises RuntimeError: string modified
"a,b".split(",") { break 4 } # => 4

# A tail that is none is told before what the text holds.
'"\u{007F}".xxxxxx'.undump # raises RuntimeError: invalid dumped string; not wrapped with '"' nor '"...".force_encoding("...")' form
# The second byte of a character is no letter.
"\x81\x41".dup.force_encoding("Windows-31J").casecmp("\x81\x61".dup.force_encoding("Windows-31J")) # => -1
"Ab".encode("UTF-16LE").casecmp("aB".encode("UTF-16LE")) # => 0
"\x83\x41B".dup.force_encoding("Shift_JIS").casecmp("\x83\x41a".dup.force_encoding("Shift_JIS")) # => 1
