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
