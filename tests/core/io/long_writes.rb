# Long writes go out in pieces: nothing is lost, doubled or mixed, whoever else writes
require "socket"
require "tempfile"
require "timeout"

text = Random.new(1).bytes(5 << 20)
file = Tempfile.new("long")
file.binmode
file.write(text) # => 5242880
file.write("end") # => 3
file.close
File.binread(file.path) == text + "end" # => true

# From a socket into a file, all of it or so much.
near, far = UNIXSocket.pair
sender = Thread.new { near.write(text); near.close }
File.open(file.path, "wb") { |out| IO.copy_stream(far, out) } # => 5242880
sender.value # => nil
File.binread(file.path) == text # => true
near, far = UNIXSocket.pair
sender = Thread.new { near.write("0123456789" * 100_000); near.close }
File.open(file.path, "wb") { |out| [IO.copy_stream(far, out, 7), IO.copy_stream(far, out, 500_000)] } # => [7, 500000]
far.read.size # => 499993
sender.join
File.binread(file.path) == ("0123456789" * 100_000)[0, 500_007] # => true

# What follows does not overtake.
reader, writer = IO.pipe
writers = 3.times.map { |i| Thread.new { writer.write(i.to_s * 700_000) } }
closer = Thread.new { writers.each(&:join); writer.close }
got = reader.read
closer.join
got.size # => 2100000
got.squeeze.size # => 3

# An interrupt in the middle: the rest is dropped.
reader, writer = IO.pipe
writer.sync = false
begin
  Timeout.timeout(0.05) { writer.write("a" * 3_000_000) }
rescue Timeout::Error
  :interrupted # => :interrupted
end
drain = Thread.new { reader.read }
writer.write("b")
writer.close
whole = drain.value
whole.squeeze # => "ab"
whole.size < 3_000_000 # => true

# Changed by another thread while it is written.
reader, writer = IO.pipe
text = "x" * 2_000_000
writing = Thread.new { writer.write(text); writer.close }
Thread.pass until writing.stop?
text.replace("y" * 2_000_000)
reader.read.squeeze # => "x"
writing.join

# The source fails to be written: no descriptor is left behind, the error names it.
near, far = UNIXSocket.pair
sender = Thread.new { near.write("z" * 300_000) rescue $!.class }
full = (File.open("/dev/full", "wb") { |out| IO.copy_stream(far, out) } rescue $!.class) # => Errno::ENOSPC
far.close
[nil, 300_000, Errno::EPIPE, Errno::ECONNRESET].include?(sender.value) # => true
