# Long work is outside the lock and ends when somebody interrupts it; the stream goes on where it was.
# timeout: 60
require "zlib"
require "timeout"
zeros = "\0" * (64 << 20)

def ended_after(&work)
  t0 = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  begin
    Timeout.timeout(0.1, &work)
  rescue Timeout::Error
    Process.clock_gettime(Process::CLOCK_MONOTONIC) - t0 < 2
  end
end

stream = Zlib::Deflate.new(1)
packed = stream.deflate(zeros)
7.times { packed << stream.deflate(zeros) }
packed << stream.finish
ended_after { loop { Zlib.inflate(packed) } } # => true
ended_after { loop { Zlib::Inflate.new.inflate(packed) } } # => true
ended_after { loop { Zlib::Inflate.new.inflate(packed) { |piece| piece.size } } } # => true
ended_after { loop { Zlib.deflate(zeros, 9) } } # => true
ended_after { loop { Zlib.deflate(zeros, 9, threads: 2) } } # => true
ended_after { loop { Zlib.crc32(zeros) } } # => true

# What an interrupt left unread waits in the stream.
random = Random.new(1).bytes(16 << 20)
deflate = Zlib::Deflate.new(9)
worker = Thread.new { deflate.deflate(random) }
Thread.pass until worker.stop?
worker.kill.join
deflate.total_in + deflate.avail_in == random.size # => true
Zlib.inflate(deflate.finish) == random # => true

# While one thread works on a stream, another one's `<<` is refused, and `deflate` waits.
shared = Zlib::Deflate.new(9)
worker = Thread.new { shared.deflate(random) }
Thread.pass until worker.stop? || !worker.alive?
(shared << "x") # raises Zlib::InProgressError: zlib stream is in progress
shared.deflate("tail").class # => String
worker.value.class # => String
shared.close # => nil

# Recursion is told from waiting.
again = Zlib::Deflate.new
again.deflate(random, Zlib::FINISH) { again.deflate("more") } # raises ThreadError: deadlock; recursive locking
