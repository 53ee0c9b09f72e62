# A class that is no IO and has IO's ways of writing from C: they call its `write` alone.
require_relative "fixtures/build"
load_c("writing")
class Sink
  attr_reader :text
  def initialize = @text = +""
  def write(*parts) = parts.sum { |part| @text << part.to_s; part.to_s.bytesize }
end
def sink = Sink.new.tap { |sink| yield sink }.text
sink { |s| s.puts } # => "\n"
sink { |s| s.puts("a", "b\n", "", nil, 1, [2, [3, []]], :c) } # => "a\nb\n\n\n1\n2\n3\nc\n"
loop_of = [1]
loop_of << loop_of
sink { |s| s.puts(loop_of) } # => "1\n[...]\n"
sink { |s| s.puts([]) } # => ""
sink { |s| s.print("a", 1, nil, "b") } # => "a1b"
sink { |s| s.printf("%03d|%s", 7, "x") } # => "007|x"
sink { |s| s.printf } # raises ArgumentError: too few arguments
sink { |s| s << "a" << 1 << :b } # => "a1b"
Sink.new.puts("x") # => nil
Sink.new.checked.class # => Sink
Sink.new.freeze.checked rescue $!.class # => FrozenError
Sink.end_in("x") # => "x.\n"
Sink.end_in("x".encode("utf-16le")).encode("utf-8") # => "x.\n"
Sink.end_in("x".encode("utf-32be")).bytesize # => 12
[0x41, 0xe9, 0x20ac, 0x10ffff].map { |code| Sink.length(code) } # => [1, 2, 3, 4]
Sink.length(0x1ffffff) < 0 # => true

# What rb_protect has stopped is the cause of what C code raises next, unless it was cleared.
(Sink.raise_behind(false) rescue [$!.message, $!.cause.message]) # => ["behind", "stopped"]
(Sink.raise_behind(true) rescue [$!.message, $!.cause]) # => ["behind", nil]
$! # => nil

# Filled up to the last byte, where the NUL has no room.
letters = [*"a".."z"].join * 200
(0..70).map { |room| text = Sink.fill(room); text.size >= room && letters.start_with?(text) }.uniq # => [true]
letters.start_with?(Sink.fill(4000)) # => true

# Bytes of C code go out as they are, whatever the IO encodes.
path = File.join(Dir.tmpdir, "bytes-#{$$}")
at_exit { File.delete(path) }
out = ->(mode, **options, &work) { File.open(path, mode, **options, &work); File.binread(path).unpack1("H*") }
out.("wb", encoding: "UTF-8") { |io| Sink.bytes(io, "\xC3\xA9\xFF".b) } # => "c3a9ff"
out.("w:UTF-16LE") { |io| Sink.bytes(io, "abc") } # => "616263"
out.("w") { |io| Sink.bytes(io, "\xFF".b) } # => "ff"
Sink.new.tap { |sink| Sink.bytes(sink, "é") }.text.bytes # => [195, 169]

# Halves of surrogate pairs are no characters, and are written.
Sink.put(0xD800, "UTF-8") # => ["\xED\xA0\x80", 3]
Sink.put(0xDFFF, "UTF-8") # => ["\xED\xBF\xBF", 3]
Sink.put(0xE000, "UTF-8") # => ["\xEE\x80\x80", 3]
Sink.put(0xD8A1, "UTF-16BE") # => ["\xD8\xA1", 2]
Sink.put(0xD8A1, "UTF-16LE") # => ["\xA1\xD8", 2]
Sink.put(0xD8A1, "UTF-32LE") # => ["\xA1\xD8\x00\x00", 4]

# What C code has written behind a string's bytes is there when it says that it writes, and when it tells the length.
Sink.behind(+"", 5) # => "abcde"
Sink.behind(+"grün ", 3) # => "grün abc"
Sink.behind("x" * 50, 30) == "x" * 50 + "abcdefghijklmnopqrstuvwxyzabcd" # => true
Sink.behind(String.new(capacity: 100), 5) # => "abcde"
Sink.behind("a shared string".dup, 4) # => "a shared stringabcd"
Sink.behind(+"", 2).ascii_only? # => true
