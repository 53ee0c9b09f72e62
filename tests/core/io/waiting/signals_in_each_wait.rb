# A signal that comes while the whole program waits is handled at once, and the wait goes on as if nothing had been.
# timeout: 60
require "socket"
require "tmpdir"
DIR = Dir.mktmpdir
File.mkfifo("#{DIR}/fifo")
File.write("#{DIR}/text", "text")
def descriptors = Dir.children("/proc/self/fd").sort
def full(io, piece = 65_536)
  io.tap { [piece, 1].each { |n| nil until io.write_nonblock("x" * n, exception: false) == :wait_writable } }
end
def drain(io, size) = (size -= io.readpartial(size).bytesize while size > 0)
def crowded
  server = UNIXServer.new("#{DIR}/server#{$names = $names.to_i + 1}")
  server.listen(0)
  [server, UNIXSocket.new(server.path)]
end
# Each: what is made, the wait, what ends it, the answer.
PIPE = -> { IO.pipe }
FULL = -> { IO.pipe.tap { |_, w| full(w) }.reverse }
PAIR = -> { UNIXSocket.pair }
FULL_PAIR = -> { UNIXSocket.pair.tap { |a, _| full(a) } }
SERVER = -> { [TCPServer.new("127.0.0.1", 0)] }
DATAGRAMS = -> { [UDPSocket.new.tap { it.bind("127.0.0.1", 0) }] }
LOCK = -> { Array.new(2) { File.open("#{DIR}/text") }.tap { it[1].flock(File::LOCK_EX) } }
NONE = -> { [] }
line = ->(_, w) { w.syswrite("line\n") }
last = ->(_, w) { w.syswrite("line\n"); w.close }
eat = ->(_, r) { drain(r, 65_536) }
knock = ->(server) { $caller = TCPSocket.new("127.0.0.1", server.addr[1]) }
datagram = ->(udp) { UDPSocket.new.tap { |s| s.send("line\n", 0, "127.0.0.1", udp.addr[1]); s.close } }
# At the next signal, if the command has not started yet.
slay = -> { $sleeper ? Process.kill(:KILL, $sleeper) : $finish = slay }
WAITS = {
  read: [PIPE, ->(r, _) { r.read(5) }, line, "line\n"],
  read_all: [PIPE, ->(r, _) { r.read }, last, "line\n"],
  gets: [PIPE, ->(r, _) { r.gets }, line, "line\n"],
  getc: [PIPE, ->(r, _) { r.getc }, line, "l"],
  getbyte: [PIPE, ->(r, _) { r.getbyte }, line, 108],
  readpartial: [PIPE, ->(r, _) { r.readpartial(9) }, line, "line\n"],
  sysread: [PIPE, ->(r, _) { r.sysread(9) }, line, "line\n"],
  each_line: [PIPE, ->(r, _) { r.each_line.to_a }, last, ["line\n"]],
  eof: [PIPE, ->(r, _) { r.eof? }, last, false],
  wait_readable: [PIPE, ->(r, _) { r.wait_readable.equal?(r) }, line, true],
  wait_writable: [FULL, ->(w, _) { w.wait_writable.equal?(w) }, eat, true],
  select: [PIPE, ->(r, _) { IO.select([r]) == [[r], [], []] }, line, true],
  select_long: [PIPE, ->(r, _) { IO.select([r], nil, nil, 100) == [[r], [], []] }, line, true],
  select_write: [FULL, ->(w, _) { IO.select(nil, [w]) == [[], [w], []] }, eat, true],
  write: [FULL, ->(w, _) { w.write("abc") }, eat, 3],
  syswrite: [FULL, ->(w, _) { w.syswrite("abc") }, eat, 3],
  copy: [PIPE, ->(r, _) { IO.copy_stream(r, "#{DIR}/copy") }, last, 5],
  copy_socket: [PAIR, ->(r, _) { IO.copy_stream(r, "#{DIR}/copy") }, last, 5],
  copy_into: [FULL, ->(w, _) { IO.copy_stream("#{DIR}/text", w) }, eat, 4],
  recv: [PAIR, ->(r, _) { r.recv(9) }, line, "line\n"],
  recvmsg: [PAIR, ->(r, _) { r.recvmsg[0] }, line, "line\n"],
  recv_io: [PAIR, ->(r, _) { r.recv_io.tap(&:close).closed? }, ->(_, w) { w.send_io($stdin) }, true],
  recvfrom: [DATAGRAMS, ->(udp) { udp.recvfrom(9)[0] }, datagram, "line\n"],
  send: [FULL_PAIR, ->(a, _) { a.send("abc", 0) },
         ->(_, b) { nil until b.read_nonblock(65_536, exception: false) == :wait_readable }, 3],
  accept: [SERVER, ->(server) { server.accept.close }, knock, nil],
  sysaccept: [SERVER, ->(server) { IO.for_fd(server.sysaccept).close }, knock, nil],
  connect: [-> { crowded }, ->(server, _) { UNIXSocket.new(server.path).close },
            ->(server, _) { server.accept_nonblock.close }, nil],
  flock: [LOCK, ->(a, _) { a.flock(File::LOCK_EX) }, ->(_, b) { b.flock(File::LOCK_UN) }, 0],
  open: [NONE, -> { File.open("#{DIR}/fifo") { :opened } }, -> { $caller = File.open("#{DIR}/fifo", File::RDWR) },
         :opened],
  wait: [NONE, -> { $sleeper = spawn("exec sleep 100"); Process.wait2($sleeper)[1].termsig }, slay, 9],
  popen: [NONE, -> { IO.popen("exec sleep 100") { |io| $sleeper = io.pid; [io.read, io.close, $?.termsig] } }, slay,
          ["", nil, 9]],
  sleep: [NONE, -> { sleep 0.03 and :slept }, -> { }, :slept],
}
$caught = 0
$finish = nil
trap("USR1") do
  $caught += 1
  if $caught >= 3 && $finish
    finish, $finish = $finish, nil
    finish.call
  end
end
parent = $$
rousing = fork { loop { Process.kill(:USR1, parent); sleep 0.003 } }
def answer((make, wait, finish, _))
  ios = make.call
  $caught = 0
  $sleeper = nil
  $finish = -> { finish.call(*ios) }
  result = yield(-> { wait.call(*ios) rescue [$!.class, $!.message] })
  [*ios, $caller].compact.each(&:close)
  $caller = nil
  result
end
before = descriptors
WAITS.map { |name, how| [name, answer(how, &:call)] }.reject { |name, result| result == WAITS[name][3] } # => []
WAITS.map { |name, how| [name, answer(how) { |wait| Thread.new(&wait).value }] }.reject { |name, result| result == WAITS[name][3] } # => []
descriptors == before # => true
Process.kill(:KILL, rousing)
Process.wait2(rousing)[1].termsig # => 9
Dir.children(DIR).each { File.delete("#{DIR}/#{it}") }
Dir.rmdir(DIR) # => 0
