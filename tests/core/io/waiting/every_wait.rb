# Every wait of files, pipes and sockets ends at once by a close, by two, by a kill, by an exception;
# no descriptor is lost.
# timeout: 120
require "socket"
require "tmpdir"
GC.disable
Thread.report_on_exception = false
DIR = Dir.mktmpdir
File.mkfifo("#{DIR}/fifo")
def descriptors = Dir.children("/proc/self/fd").sort
# Each gives what is to be closed in the end, first what the thread waits for.
PIPE = -> { IO.pipe }
PAIR = -> { UNIXSocket.pair }
FULL_PIPE = -> { IO.pipe.reverse.tap { |w, _| w.write_nonblock("x" * 65_536) } }
FULL_PAIR = -> {
  UNIXSocket.pair.tap do |a, _|
    [65_536, 1].each { |n| nil until a.write_nonblock("x" * n, exception: false) == :wait_writable }
  end
}
SERVER = -> { [TCPServer.new("127.0.0.1", 0)] }
DATAGRAMS = -> { [UDPSocket.new.tap { it.bind("127.0.0.1", 0) }] }
LOCKED = -> { [File.open("#{DIR}/lock", "w"), File.open("#{DIR}/lock", "w").tap { it.flock(File::LOCK_EX) }] }
NOTHING = -> { [] }
CROWDED = lambda do
  server = Socket.new(:INET, :STREAM)
  server.bind(Addrinfo.tcp("127.0.0.1", 0))
  server.listen(0)
  $crowded = server.local_address
  [Socket.new(:INET, :STREAM), server,
   *3.times.map { Socket.new(:INET, :STREAM).tap { |s| s.connect_nonblock($crowded, exception: false) } }]
end
WAITS = {
  read: [PIPE, -> { it.read(1) }], read_all: [PIPE, :read.to_proc], gets: [PIPE, :gets.to_proc],
  getc: [PIPE, :getc.to_proc], getbyte: [PIPE, :getbyte.to_proc], readlines: [PIPE, :readlines.to_proc],
  into: [PIPE, ->(io) { text = +"a"; begin; io.read(3, text); ensure; text << "x"; end }],
  readpartial: [PIPE, -> { it.readpartial(1) }], sysread: [PIPE, -> { it.sysread(1) }], eof: [PIPE, :eof?.to_proc],
  wait_readable: [PIPE, :wait_readable.to_proc], wait_priority: [PAIR, :wait_priority.to_proc],
  select: [PIPE, -> { IO.select([it]) }], select_long: [PIPE, -> { IO.select([it], nil, nil, 1000) }],
  select_write: [FULL_PIPE, -> { IO.select(nil, [it]) }],
  wait_writable: [FULL_PIPE, :wait_writable.to_proc], write: [FULL_PIPE, -> { it.write("y") }],
  syswrite: [FULL_PIPE, -> { it.syswrite("y") }], send: [FULL_PAIR, -> { it.send("y", 0) }],
  sendmsg: [FULL_PAIR, -> { it.sendmsg("y") }],
  send_io: [FULL_PAIR, -> { it.send_io($stdin) }], recv: [PAIR, -> { it.recv(1) }], recvmsg: [PAIR, :recvmsg.to_proc],
  recv_io: [PAIR, :recv_io.to_proc], recvfrom: [DATAGRAMS, -> { it.recvfrom(1) }],
  accept: [SERVER, :accept.to_proc], sysaccept: [SERVER, :sysaccept.to_proc],
  accept_loop: [SERVER, -> { Socket.accept_loop(it) { } }], flock: [LOCKED, -> { it.flock(File::LOCK_EX) }],
  connect: [CROWDED, -> { it.connect($crowded) }], copy: [PIPE, -> { IO.copy_stream(it, IO::NULL) }],
  copy_socket: [PAIR, -> { IO.copy_stream(it, IO::NULL) }],
  copy_into: [FULL_PIPE, -> { IO.copy_stream("/bin/sh", it) }],
}
NAMED = {
  open: [NOTHING, ->(_) { File.open("#{DIR}/fifo") { } }],
  open_to_write: [NOTHING, ->(_) { File.open("#{DIR}/fifo", "w") { } }],
  read_file: [NOTHING, ->(_) { File.read("#{DIR}/fifo") }],
  copy_file: [NOTHING, ->(_) { IO.copy_stream("#{DIR}/fifo", IO::NULL) }],
  tcp: [CROWDED, ->(_) { TCPSocket.new("127.0.0.1", $crowded.ip_port) }],
  popen: [NOTHING,
          ->(_) { IO.popen("exec sleep 100") { |io| begin; io.read; ensure; Process.kill(:KILL, io.pid); end } }],
}
def outcome((make, wait))
  before = descriptors
  ios = make.call
  thread = Thread.new do
    wait.call(ios[0])
  rescue => error
    [error.class, error.message]
  end
  sleep 0.002 until thread.stop?
  yield thread, ios[0]
  ended = thread.join(10) ? thread.value : :waits
  ios.each(&:close)
  lost = descriptors - before
  lost.empty? ? ended : [ended, lost]
end
CLOSED = [IOError, "stream closed in another thread"]
WAITS.map { |name, how| [name, outcome(how) { |_, io| io.close }] }.reject { |_, outcome| outcome == CLOSED } # => []
WAITS.map { |name, how| [name, outcome(how) { |_, io| 2.times.map { Thread.new { io.close } }.each(&:join) }] }.reject { |_, outcome| outcome == CLOSED } # => []
ALL = WAITS.merge(NAMED)
ALL.map { |name, how| [name, outcome(how) { |thread, _| thread.kill }] }.reject { |_, outcome| outcome.nil? } # => []
ALL.map { |name, how| [name, outcome(how) { |thread, _| thread.raise("now") }] }.reject { |_, outcome| outcome == [RuntimeError, "now"] } # => []
ALL.map { |name, how| [name, outcome(how) { |thread, io| thread.kill; io&.close }] }.reject { |_, outcome| outcome.nil? } # => []
Dir.children(DIR).each { File.delete("#{DIR}/#{it}") }
Dir.rmdir(DIR)
