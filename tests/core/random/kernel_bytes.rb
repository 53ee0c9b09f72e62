# Random bytes of the kernel: all sizes are filled, in threads, fibers and forked children no bytes come twice
require "securerandom"

[0, 1, 7, 16, 31, 256, 257, 4096, 100_000].map { |n| Random.urandom(n).bytesize } # => [0, 1, 7, 16, 31, 256, 257, 4096, 100000]
Random.urandom(16).encoding # => #<Encoding:BINARY (ASCII-8BIT)>
list = Array.new(2000) { Random.urandom(16) }
list.uniq.size # => 2000
Random.urandom(100_000).each_byte.tally.size # => 256
Random.urandom(100_000).byteslice(-64, 64).count("\0") < 20 # => true
Array.new(4) { Thread.new { Array.new(200) { SecureRandom.hex } } }.flat_map(&:value).uniq.size # => 800

def in_child
  reader, writer = IO.pipe
  pid = fork do
    writer.write(Array.new(20) { SecureRandom.hex }.join(" "))
    writer.close
    exit!(0)
  end
  writer.close
  text = reader.read
  Process.wait(pid)
  text.split
end

(in_child + in_child + Array.new(20) { SecureRandom.hex }).uniq.size # => 60
Random.urandom(-1) # raises ArgumentError: negative string size (or size too big)
