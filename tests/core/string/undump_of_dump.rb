# needs: 4.0
# A dump of ASCII control characters beside Unicode can be read back.
"\0\u{3042}".dump # => "\"\\x00\\u3042\""
"\0\u{3042}".dump.undump == "\0\u{3042}" # => true
