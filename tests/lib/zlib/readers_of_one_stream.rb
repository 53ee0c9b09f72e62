# Threads that read one gzip file take turns: each line, byte and piece goes to one of them.
# timeout: 60
require "zlib"
require "stringio"

text = (1..3000).map { |i| "#{i} #{"x" * (i % 90)}\n" }.join
packed = Zlib.gzip(text)

# Pieces as small as those of a slow connection.
class Slow
  def initialize(bytes) = @io = StringIO.new(bytes)

  def readpartial(_)
    Thread.pass
    @io.readpartial(61)
  end
end

def shared_by(count, packed)
  gz = Zlib::GzipReader.new(Slow.new(packed))
  (1..count).map { Thread.new { [].tap { |got| while piece = yield(gz) do got << piece end } } }.flat_map(&:value)
end

shared_by(3, packed, &:gets).sort_by(&:to_i).join == text # => true
shared_by(3, packed, &:getbyte).sum == text.sum(64) # => true
shared_by(3, packed) { |gz| gz.read(700) }.sum(&:size) == text.size # => true
shared_by(3, packed) { |gz| gz.readpartial(50) rescue nil }.sum(&:size) == text.size # => true
shared_by(2, packed, &:getc).size == text.size # => true
