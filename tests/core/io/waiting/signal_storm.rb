# Signals that arrive all the time, while reads, writes, selects, accepts and sleeps are under way, neither lose nor
# repeat a byte, and every handler runs.
# timeout: 40
require "socket"
require "io/wait"
fds = -> { Dir.children("/proc/self/fd").size }
before = fds.call
caught = 0
trap("USR1") { caught += 1 }
stop = false
storm = Thread.new do
  until stop
    Process.kill("USR1", $$)
    sleep 0.0005
  end
end

# The handlers run on the main thread: it does one side of each transfer.
data = Random.new(4).bytes(600_000)
ways = {
  read: ->(r) { r.read },
  readpartial: ->(r) { all = "".b; begin; loop { all << r.readpartial(777) }; rescue EOFError; end; all },
  sysread: ->(r) { all = "".b; begin; loop { r.wait_readable; all << r.sysread(5000) }; rescue EOFError; end; all },
  each_line: ->(r) { r.each_line.to_a.join },
  select: ->(r) {
    all = "".b
    while IO.select([r]) && part = r.read_nonblock(3000, exception: false); all << part if part != :wait_readable; end
    all
  },
  copy: ->(r) { all = StringIO.new; IO.copy_stream(r, all); all.string },
}
require "stringio"
slow = ->(w) { data.bytes.each_slice(40_000) { |part| w.write(part.pack("C*")); sleep 0.001 }; w.close }
wrong = ways.reject do |_, way|
  [IO.pipe, UNIXSocket.pair].all? do |r, w|
    [r, w].each(&:binmode)
    writer = Thread.new { slow.(w) }
    got = way.(r)
    writer.join
    r.close
    got.b == data
  end
end
wrong.keys # => []
written = [IO.pipe, UNIXSocket.pair].map do |r, w|
  reader = Thread.new do
    all = "".b
    begin; loop { all << r.readpartial(9000); sleep 0.0005 }; rescue EOFError; end
    all
  end
  w.binmode
  n = w.write(data)
  w.close
  got = reader.value
  r.close
  [n, got == data]
end
written # => [[600000, true], [600000, true]]
server = TCPServer.new("127.0.0.1", 0)
Thread.new { sleep 0.03; TCPSocket.new("127.0.0.1", server.addr[1]).close }
server.accept.close # => nil
server.close
begun = Process.clock_gettime(Process::CLOCK_MONOTONIC)
sleep 0.05
(Process.clock_gettime(Process::CLOCK_MONOTONIC) - begun) >= 0.05 # => true
Process.wait(spawn("sleep", "0.05")).class # => Integer
stop = true
storm.join
caught > 20 # => true
trap("USR1", "DEFAULT")
fds.call - before <= 2 # => true
