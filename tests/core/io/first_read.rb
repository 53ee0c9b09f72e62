# A first read brings along what is there: `readpartial` after `eof?` gives it in few pieces.
reader, writer = IO.pipe
writer << "abc" * 20_000
writer.close
text, pieces = +"", 0
until reader.eof?
  text << reader.readpartial(60_000)
  pieces += 1
end
text == "abc" * 20_000 # => true
pieces < 20 # => true

# What is shorter, just as long, and a byte longer than the first read.
sizes = [1, 1023, 1024, 1025, 2048].map do |size|
  reader, writer = IO.pipe
  writer << "x" * size
  [reader.eof?, reader.readpartial(10_000).size, writer.close, reader.read.size].compact
end
sizes # => [[false, 1, 0], [false, 1023, 0], [false, 1024, 0], [false, 1025, 0], [false, 2048, 0]]
