# Newlines and XML within one wide encoding; the default internal encoding takes what it can.
text = "<a>\n\r\n\"&".encode("UTF-16LE")
[{ xml: :text }, { xml: :attr }, { crlf_newline: true }, { universal_newline: true }].map { |options| text.encode("UTF-16LE", "UTF-16LE", **options).encode("UTF-8") } # => ["&lt;a&gt;\n\r\n\"&amp;", "\"&lt;a&gt;\n\r\n&quot;&amp;\"", "<a>\r\n\r\r\n\"&", "<a>\n\n\"&"]
text.encode(xml: :text).encoding # => #<Encoding:UTF-16LE>
"a".encode("UTF-16LE", nil).bytes # => [97, 0]

Encoding.default_internal = "EUC-JP"
"\u{1F600}".encode.bytes # => [63]
"\xE3\x81\x82\x81".encode.bytes # => [164, 162, 63]
"\u{1F600}".encode(xml: :text).bytes # => [38, 35, 120, 49, 70, 54, 48, 48, 59]
