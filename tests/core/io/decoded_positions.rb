# Lines, parts of lines and characters of transcoded text: nothing behind them has been decoded,
# so positions are right and bytes can follow.
require "tmpdir"
PATH = File.join(Dir.mktmpdir, "text")
def text(mode, bytes, &)
  File.binwrite(PATH, bytes)
  File.open(PATH, mode, &)
end
def all(io)
  found = []
  while (part = yield)
    found << [part, io.pos]
  end
  found
end
LINES = "ab漢\nzwei\n\nd"
%w[UTF-16LE UTF-32LE].each do |name|
  bytes = LINES.encode(name).b
  mode = "rb:#{name}:UTF-8"
  size = name[/\d+/].to_i / 8
  text(mode, bytes) { |io| all(io) { io.gets } } == LINES.lines.each_with_object([]) { |line, found| found << [line, (found.last&.last || 0) + line.size * size] } # => true
  text(mode, bytes) { |io| [io.gets, io.getc, io.read(size).b.delete("\0"), io.pos / size] } # => ["ab漢\n", "z", "w", 6]
  text(mode, bytes) { |io| [io.gets, io.lineno, io.getbyte.to_i + io.getbyte.to_i, io.eof?] } # => ["ab漢\n", 1, 122, false]
  text(mode, bytes) { |io| io.gets; at = io.pos; io.gets; io.pos = at; io.gets } # => "zwei\n"
end
text("rb:UTF-16LE:UTF-8", LINES.encode("UTF-16LE").b) { |io| all(io) { io.gets(3) } } # => [["ab漢", 6], ["\n", 8], ["zwe", 14], ["i\n", 18], ["\n", 20], ["d", 22]]
text("rb:UTF-16LE:UTF-8", LINES.encode("UTF-16LE").b) { |io| all(io) { io.gets("e") } } # => [["ab漢\nzwe", 14], ["i\n\nd", 22]]
text("rb:UTF-16LE:UTF-8", LINES.encode("UTF-16LE").b) { |io| all(io) { io.gets("") } } # => [["ab漢\nzwei\n\n", 22], ["d", 22]]
text("rb:UTF-16LE:UTF-8", LINES.encode("UTF-16LE").b) { |io| [io.gets, io.set_encoding("BINARY").gets] } # => ["ab漢\n", "z\x00w\x00e\x00i\x00\n"]
text("rb:EUC-JP:UTF-8", LINES.encode("EUC-JP").b) { |io| all(io) { io.gets(3) } } # => [["ab漢", 4], ["\n", 5], ["zwe", 8], ["i\n", 10], ["\n", 11], ["d", 12]]
text("rb:EUC-JP:UTF-8", LINES.encode("EUC-JP").b) { |io| all(io) { io.gets("e") } } # => [["ab漢\nzwe", 8], ["i\n\nd", 12]]
text("rb:ISO-2022-JP:UTF-8", LINES.encode("ISO-2022-JP").b) { |io| all(io) { io.gets(3) } } # => [["ab漢", 7], ["\n", 11], ["zwe", 14], ["i\n", 16], ["\n", 17], ["d", 18]]
text("rt:UTF-8:UTF-16LE", "xyz\r\nab\n\rq") { |io| all(io) { io.getc }.map { |c, at| [c.encode("UTF-8"), at] } } # => [["x", 1], ["y", 2], ["z", 3], ["\n", 5], ["a", 6], ["b", 7], ["\n", 8], ["\n", 10], ["q", 10]]
text("rt:UTF-8:UTF-16LE", "xyz\r\nab\n\rq") { |io| [io.getc, io.read(2), io.getc, io.getc, io.readpartial(1), io.gets].map { it.encode("UTF-8") } } # => ["x", "yz", "\n", "a", "b", "\n"]
# What is no character goes byte by byte; the beginning of one at the end of the file is in one piece.
["\xE3\x81a", "\xF0\x9F\x98b", "\xFFz", "\xE3\x81"].map { |bytes| text("rb:UTF-8", bytes) { |io| io.each_char.map(&:b) } } # => [["\xE3", "\x81", "a"], ["\xF0", "\x9F", "\x98", "b"], ["\xFF", "z"], ["\xE3\x81"]]
["\xE3\x81a", "\xE3a"].map { |bytes| text("rb:UTF-32LE", bytes) { |io| io.each_char.map(&:b) } } # => [["\xE3\x81a"], ["\xE3a"]]
# Bytes that are no text fail on their way to UTF-8.
text("wb:UTF-16LE", "") { |io| io.write("\xFF".b) } # raises Encoding::UndefinedConversionError: "\xFF" from ASCII-8BIT to UTF-8
text("wb:UTF-16LE", "") { |io| io.write("\xFF") } # raises Encoding::InvalidByteSequenceError: "\xFF" on UTF-8
File.delete(PATH)
