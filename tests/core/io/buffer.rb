# IO::Buffer: numbers, slices, masks, strings, files, transfers.
Warning[:experimental] = false
b = IO::Buffer.new(16)
b.set_value(:U16, 0, 0x1234)              # => 2
b.get_value(:u16, 0)                      # => 13330
b.set_values([:S8, :f64], 2, [-1, 1.5])   # => 11
b.get_values([:S8, :f64], 2)              # => [-1, 1.5]
[b.size, b.internal?, b.mapped?]          # => [16, true, false]
s = b.slice(0, 2)
s.get_string                              # => "\x124"
b.free
[s.valid?, b.null?]                       # => [false, true]
begin
  s.get_value(:U8, 0)
rescue IO::Buffer::InvalidatedError => e
  e.message                               # => "Buffer has been invalidated!"
end
masked = IO::Buffer.for("abcd") & IO::Buffer.for("\xFF\x00".b)
masked.get_string # => "a\x00c\x00"
IO::Buffer.for("abcdef").each(:U8, 1, 2).to_a # => [[1, 98], [2, 99]]
IO::Buffer.string(4) { |x| x.set_string("ok") } # => "ok\x00\x00"
text = +"test"
IO::Buffer.for(text) { |x| x.set_string("r") }
text                                      # => "rest"
begin
  IO::Buffer.for("abc").set_value(:U8, 0, 1)
rescue IO::Buffer::AccessError => e
  e.message                               # => "Buffer is not writable!"
end
r, w = IO.pipe
w << "hello"
x = IO::Buffer.new(8)
[x.read(r, 5), x.get_string(0, 5)]        # => [5, "hello"]
[x.write(w, 2), r.readpartial(9)]         # => [8, "hello\x00\x00\x00"]
[x.write(w, 1, 3), r.readpartial(9)]      # => [5, "lo\x00\x00\x00"]
[x.write(w, 0, 6), r.readpartial(9)]      # => [2, "\x00\x00"]
[x.write(r, 1), x.read(w, 1), x.pwrite(r, 0, 1), x.pread(w, 0, 1)] # => [-9, -9, -29, -29]
path = "/tmp/rubellite_buffer_#{$$}"
File.write(path, "mapped")
File.open(path, "r+") { |f| [IO::Buffer.for("abcd").pwrite(f, 1, 2, 1), f.read] } # => [3, "mbcded"]
File.write(path, "mapped")
File.open(path, "r+") do |f|
  m = IO::Buffer.map(f)
  m.set_string("M")
  m.free
end
File.read(path)                           # => "Mapped"
File.open(path, "a") { |f| [x.read(f, 1), x.pread(f, 0, 1)] } # => [-9, -9]
File.open(path) { |f| [x.write(f, 1), x.pwrite(f, 0, 1)] } # => [-9, -9]
File.unlink(path)
