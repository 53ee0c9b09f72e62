# `IO.copy_stream` between files, pipes, sockets, special files and objects: every way the bytes may go.
# timeout: 30
require "socket"
require "tempfile"
require "stringio"
DATA_1M = Random.new(1).bytes(1_000_000)
dir = Dir.mktmpdir
a, b = "#{dir}/a", "#{dir}/b"
File.binwrite(a, DATA_1M)
fds = -> { Dir.children("/proc/self/fd").size }
before = fds.call

# Files by name, with a length, with an offset.
IO.copy_stream(a, b) # => 1000000
File.binread(b) == DATA_1M # => true
IO.copy_stream(a, b, 10) # => 10
File.size(b) # => 10
IO.copy_stream(a, b, 10, 999_995) # => 5
File.binread(b) == DATA_1M[-5..] # => true
IO.copy_stream(a, b, 0) # => 0
IO.copy_stream(a, b, -1, -1) # => 1000000

# Positions: read-ahead goes first, an offset leaves the source where it is, the target goes on where it stands.
File.open(a, "rb") do |from|
  from.read(3)
  File.open(b, "w+b") do |to|
    to.write("head:")
    IO.copy_stream(from, to, 4) # => 4
    from.pos # => 7
    IO.copy_stream(from, to, 2, 100) # => 2
    from.pos # => 7
    to.write(":tail")
    to.pos # => 16
  end
end
File.binread(b) == "head:".b + DATA_1M[3, 4] + DATA_1M[100, 2] + ":tail" # => true
File.open(b, "ab") { |to| IO.copy_stream(a, to, 3) } # => 3
File.binread(b)[-3..] == DATA_1M[0, 3] # => true

# Files whose size the system does not tell.
IO.copy_stream("/proc/self/stat", b).positive? # => true
IO.copy_stream("/dev/null", b) # => 0
IO.copy_stream("/dev/zero", b, 100_000) # => 100000

# Through pipes and sockets.
OPEN = []
def pump(r, w, from)
  reader = Thread.new { r.read }
  n = IO.copy_stream(from, w)
  w.close
  [n, reader.value.b == DATA_1M]
end
IO.pipe { |r, w| pump(r, w, a) } # => [1000000, true]
UNIXSocket.pair.then { |r, w| OPEN << r; pump(r, w, a) } # => [1000000, true]
def feed(kind)
  r, w = kind.call
  OPEN << r << w
  Thread.new { (w.write(DATA_1M) rescue 0); w.close }
  r
end
pipe = -> { IO.pipe }
pair = -> { UNIXSocket.pair }
IO.copy_stream(feed(pipe), b) # => 1000000
File.binread(b) == DATA_1M # => true
IO.copy_stream(feed(pair), b) # => 1000000
File.binread(b) == DATA_1M # => true
IO.copy_stream(feed(pipe), b, 123_456) # => 123456
IO.pipe { |r, w| pump(r, w, feed(pipe)) } # => [1000000, true]
IO.pipe { |r, w| pump(r, w, feed(pair)) } # => [1000000, true]
UNIXSocket.pair.then { |r, w| OPEN << r; pump(r, w, feed(pipe)) } # => [1000000, true]
UNIXSocket.pair.then { |r, w| OPEN << r; pump(r, w, feed(pair)) } # => [1000000, true]
IO.pipe { |r, w| IO.copy_stream(r, b, 1, 1) } # raises Errno::ESPIPE

# A Tempfile is the IO behind it.
Tempfile.create("copy") { |t| t.write("xy"); IO.copy_stream(a, t, 3); t.pos } # => 5
t = Tempfile.new("copy")
t.write("xy")
IO.copy_stream(a, t, 3)
t.pos # => 5
t.close!

# Objects.
out = StringIO.new
IO.copy_stream(a, out, 70_000) # => 70000
out.string.b == DATA_1M[0, 70_000] # => true
IO.copy_stream(StringIO.new("abc"), b) # => 3
File.read(b) # => "abc"
IO.copy_stream(StringIO.new("abcdef"), out = StringIO.new, 4) # => 4
out.string # => "abcd"
IO.copy_stream(StringIO.new("abc"), b, 1, 1) # raises ArgumentError: cannot specify src_offset for non-IO
reads = Object.new
def reads.read(n, buffer) = @done ? nil : (@done = true; buffer.replace("once"))
IO.copy_stream(reads, b) # => 4
File.read(b) # => "once"
IO.copy_stream("#{dir}/missing", b) # raises Errno::ENOENT
IO.copy_stream(a, "#{dir}/missing/b") # raises Errno::ENOENT
File.open(a) { |f| IO.copy_stream(f, f) } # raises IOError: not opened for writing

# A full device, a reader that has gone.
IO.copy_stream(a, "/dev/full") # raises Errno::ENOSPC
r, w = IO.pipe
r.close
IO.copy_stream(a, w) # raises Errno::EPIPE
w.close

# A kill, a raise and a close end it, wherever it waits. It waits once its first bytes have come over and it sleeps.
Copy = Struct.new(:from, :to, :input, :output) do
  def start(&)
    input&.write("x")
    thread = Thread.new(&)
    sleep 0.001 until output ? IO.select([output], nil, nil, 0) : File.size(to) > 0
    sleep 0.005 until 4.times.all? { sleep(0.002) && thread.status == "sleep" }
    thread
  end
end
pipe = -> { OPEN.concat(pair = IO.pipe); pair }
ways = [
  -> { r, w = pipe.call; File.write(b, ""); Copy.new(r, b, w) },
  -> { r, w = pipe.call; Copy.new(a, w, nil, r) },
  -> { r, w = UNIXSocket.pair.tap { OPEN.concat(it) }; Copy.new(a, w, nil, r) },
  -> { (from, input), (output, to) = pipe.call, pipe.call; Copy.new(from, to, input, output) },
]
ended = ways.map do |way|
  copy = way.call
  copy.start { IO.copy_stream(copy.from, copy.to) }.kill.join
  copy = way.call
  raised = copy.start { IO.copy_stream(copy.from, copy.to) rescue $!.message }
  raised.raise("stop")
  message = raised.value
  copy = way.call
  closed = copy.start { IO.copy_stream(copy.from, copy.to) rescue [$!.class, $!.message] }
  [copy.from, copy.to].grep(IO).first.close
  [message, closed.value]
end
ended.uniq # => [["stop", [IOError, "stream closed in another thread"]]]
OPEN.each(&:close)
GC.start
fds.call <= before + 3 # => true
FileUtils.rm_r(dir)
