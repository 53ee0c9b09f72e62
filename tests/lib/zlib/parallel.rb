# One stream compressed on several cores is an ordinary stream. Only here: `threads:` is Rubellite's.
require "zlib"
text = (1..200_000).map { |i| "line #{i * 7919 % 10_007}\n" }.join
one = Zlib.deflate(text)
two = Zlib::Deflate.deflate(text, 6, threads: 2)
Zlib.inflate(two) == text # => true
two.size < one.size * 1.03 # => true
Zlib::Deflate.deflate(text, 6, threads: 0) # raises ArgumentError: number of threads must be positive
Zlib.inflate(Zlib.deflate("short", 9, threads: 8)) # => "short"
path = "/tmp/rubellite_parallel_#{$$}.gz"
Zlib::GzipWriter.open(path, 6, threads: 3) do |gz|
  text.each_line.each_slice(1000) { |lines| gz.write(lines.join) }
  gz.flush
  gz.write("tail")
  gz.pos == text.size + 4 # => true
end
Zlib::GzipReader.open(path, &:read) == text + "tail" # => true
File.open(path, "rb") { |io| Zlib::GzipReader.zcat(io).size } == text.size + 4 # => true
system("gzip", "-t", path) # => true
File.unlink(path)
