# What cannot be printed has the same escapes in lists, in messages about templates and in those about names.
shown = Object.new
def shown.inspect = "\u3042\0\x7f\e\"\x01".encode("EUC-JP")
[shown].inspect # => "[\\x{A4A2}\\0\\c?\\e\"\\x01]"
def shown.inspect = "\u3042\0\x7f\u{1F600}".encode("UTF-16LE")
[shown].inspect # => "[\\u3042\\0\\c?\\u{1F600}]"
def shown.inspect = "\xFF\0\x7f".b
[shown].inspect # => "[\\xFF\\0\\c?]"
[1].pack("\0\xff\x7f\tR".b) # raises ArgumentError: unknown pack directive '\x00' in '\0\xFF\c?\tR'
