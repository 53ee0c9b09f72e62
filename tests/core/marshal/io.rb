# Sources and sinks: only the dump's own bytes are read, everything is written.
class Sink
  attr_reader :parts
  def write(text) = (@parts ||= []).push(text.dup).size
  def binmode = @binary = true
  def binary? = @binary
end
sink = Sink.new
Marshal.dump([1, "x" * 20_000], sink).equal?(sink) # => true
sink.binary? # => true
Marshal.load(sink.parts.join)[1].size # => 20000
sink.parts.join.bytesize # => 20016
reader, writer = IO.pipe
writer << Marshal.dump([:a, "b", { c: 1.5 }]) << Marshal.dump("second") << "rest"
writer.close
Marshal.load(reader) # => [:a, "b", {c: 1.5}]
Marshal.load(reader) # => "second"
reader.read # => "rest"
Marshal.load(reader) # raises EOFError: end of file reached
class Source
  def initialize(bytes) = @bytes = bytes
  def getbyte = @bytes.slice!(0)&.ord
  def read(n) = @bytes.slice!(0, n)
end
Marshal.load(Source.new(Marshal.dump((1..300).to_a))).sum # => 45150
Marshal.load(Source.new(Marshal.dump("abcdef")[0..-8])) # raises ArgumentError: marshal data too short
class Stringish
  def to_str = Marshal.dump([1])
end
Marshal.load(Stringish.new) # => [1]
