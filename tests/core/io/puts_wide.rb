# Lines that are written to an encoding which does not contain ASCII: the newline is converted with them, states and
# marks go on from one string to the next.
require "tempfile"
def written(mode = "wb", **options)
  Tempfile.create do |file|
    file.close
    File.open(file.path, mode, **options) { |out| yield out }
    File.binread(file.path)
  end
end
lines = ->(out) { out.puts("あ", ["b", "c\n"]); out.puts; out.print("い"); out.puts(nil); out << "う" }
written("wb:iso-2022-jp", &lines) # => "\e$B$\"\e(B\nb\nc\n\n\e$B$$\e(B\n\e$B$&\e(B"
written("wb:utf-16be", &lines) # => "0B\x00\n\x00b\x00\n\x00c\x00\n\x00\n0D\x00\n0F"
written("wb:utf-16le", &lines) # => "B0\n\x00b\x00\n\x00c\x00\n\x00\n\x00D0\n\x00F0"
written("wb:utf-16", &lines) # => "\xFE\xFF0B\x00\n\x00b\x00\n\x00c\x00\n\x00\n0D\x00\n0F"
written("w:utf-16le", crlf_newline: true) { |out| out.puts "a" } # => "a\x00\r\x00\n\x00"

# xml: on the way out; the quotes of an attribute stand around all of it.
text = ->(out) { out.print("&<>\"'"); out.puts("\u4E02\u3042") }
written(xml: :text, &text) # => "&amp;&lt;&gt;\"'\xE4\xB8\x82\xE3\x81\x82\n"
written(xml: :attr, &text) # => "\"&amp;&lt;&gt;&quot;&apos;\xE4\xB8\x82\xE3\x81\x82\n\""
written("wb:us-ascii", xml: :attr, &text) # => "\"&amp;&lt;&gt;&quot;&apos;&#x4E02;&#x3042;\n\""
written("wb:iso-2022-jp", xml: :attr, &text) # => "\"&amp;&lt;&gt;&quot;&apos;&#x4E02;\e$B$\"\e(B\n\""
written("wb:utf-16be", xml: :attr) { |out| out.print "<" } # => "\x00\"\x00&\x00l\x00t\x00;\x00\""
written(xml: :attr) { } # => ""
written(xml: :other) { } # raises ArgumentError: unexpected value for xml option: other
written(invalid: :other) { } # raises ArgumentError: unknown value for invalid character option
written(replace: "\xff") { } # raises ArgumentError: replacement string is broken: "\xFF" as UTF-8
