# Threads that use one gzip file at the same time take turns: what each of them writes is in the file,
# once and in one piece.
# timeout: 60
require "zlib"
require "stringio"

def packed(**options)
  io = StringIO.new("".b)
  gz = Zlib::GzipWriter.new(io, 1, **options)
  yield gz
  gz.close
  io.string
end

def lines(who, count, length) = (1..count).map { |i| "#{who} #{i} ".ljust(length, (i % 64 + 32).chr) + "\n" }

[{}, { threads: 2 }, { threads: 3 }].each do |options|
  parts = ("a".."c").to_h { |who| [who, lines(who, 12, 100_000)] }
  all = packed(**options) do |gz|
    parts.map { |who, own| Thread.new { own.each_with_index { |line, i| gz.write(line); gz.flush if i % 5 == 0 } } }
      .each(&:join)
  end
  read = Zlib.gunzip(all).lines
  read.size # => 36
  read.group_by { |line| line[0] } == parts # => true
end

# Small pieces, several to a call.
own = (0..3).to_h { |who| [who, (1..200).map { |i| "#{who}:#{i}" }] }
all = packed { |gz| own.map { |_, words| Thread.new { words.each { |word| gz.write(word, "\n") } } }.each(&:join) }
Zlib.gunzip(all).lines(chomp: true).group_by { |line| line[0].to_i } == own # => true

# What a call has written comes before what a later call writes.
all = packed(threads: 2) do |gz|
  Thread.new { gz.write("a" * 3_000_000) }.join
  gz << "b"
  Thread.new { gz.putc("c") }.join
  gz.print("d", "e")
  gz.pos # => 3000004
end
Zlib.gunzip(all).delete_prefix("a" * 3_000_000) # => "bcde"

# A thread that comes after the end gets the usual answer.
gz = Zlib::GzipWriter.new(StringIO.new("".b), 9)
noise = Random.new(3).bytes(4_000_000)
worker = Thread.new { gz.write(noise) }
Thread.pass until worker.stop? || !worker.alive?
gz.close.class # => StringIO
worker.value # => 4000000
gz.write("x") # raises Zlib::GzipFile::Error: closed gzip stream

# Whoever is killed while it waits for its turn leaves nothing behind.
io = StringIO.new("".b)
slow = Object.new
slow.define_singleton_method(:write) { |bytes| sleep 0.05; io.write(bytes) }
gz = Zlib::GzipWriter.new(slow)
gz.sync = true
first = Thread.new { gz.write("first") }
Thread.pass until first.stop?
second = Thread.new { gz.write("second") }
Thread.pass until second.stop?
second.kill.join.alive? # => false
first.value # => 5
gz.write(" third")
gz.finish.equal?(slow) # => true
Zlib.gunzip(io.string) # => "first third"

# An object that is written to may use the writer.
nested = Object.new
inner = []
nested.define_singleton_method(:write) { |bytes| inner << $gz.pos; bytes.bytesize }
$gz = Zlib::GzipWriter.new(nested)
$gz.write("12345")
$gz.flush
inner.last # => 5

# Another fiber of the thread may go on with what one has begun.
out = "".b
sink = Object.new
sink.define_singleton_method(:write) do |bytes|
  out << bytes
  Fiber.yield if out.size == bytes.size
end
gz = Zlib::GzipWriter.new(sink)
Fiber.new { gz.write("half") }.resume
gz.write(" whole")
gz.finish.equal?(sink) # => true
Zlib.gunzip(out) # => "half whole"
