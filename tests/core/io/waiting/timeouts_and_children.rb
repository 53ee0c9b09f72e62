# Waits for children, terminals, other pipes and the clock end by a kill, an exception and a timeout;
# no descriptor, no child and no byte is lost.
# timeout: 120
require "socket"
require "pty"
require "timeout"
require "tmpdir"
GC.disable
Thread.report_on_exception = false
DIR = Dir.mktmpdir
File.mkfifo("#{DIR}/fifo")
def descriptors = Dir.children("/proc/self/fd").sort
def full_pipe = IO.pipe.tap { |_, w| w.write_nonblock("x" * 65_536) }
def full_pair
  UNIXSocket.pair.tap do |a, _|
    [65_536, 1].each { |n| nil until a.write_nonblock("x" * n, exception: false) == :wait_writable }
  end
end
def reap(pid) = (Process.kill(:KILL, pid); Process.wait(pid)) rescue [$!.class, $!.message]
NOTHING = -> { [] }
CHILD = -> { [$pid = spawn("exec sleep 100")].clear }
PIPE = -> { IO.pipe }
PAIR = -> { UNIXSocket.pair }
WAITS = {
  sleep: [NOTHING, -> { sleep }], sleep_long: [NOTHING, -> { sleep 1000 }],
  select_nothing: [NOTHING, -> { IO.select(nil, nil, nil, 1000) }],
  wait: [CHILD, -> { Process.wait }], waitpid: [CHILD, -> { Process.waitpid($pid) }],
  wait2: [CHILD, -> { Process.wait2($pid) }], status: [CHILD, -> { Process::Status.wait($pid) }],
  waitall: [CHILD, -> { Process.waitall }],
  detach: [CHILD, -> { Process.detach($pid).join }],
  pipe_to_pipe: [-> { IO.pipe + IO.pipe }, ->(r, _, _, w) { IO.copy_stream(r, w) }],
  pipe_to_full: [-> { full_pipe + full_pipe }, ->(r, _, _, w) { IO.copy_stream(r, w) }],
  socket_to_socket: [-> { UNIXSocket.pair + UNIXSocket.pair }, ->(a, _, c, _) { IO.copy_stream(a, c) }],
  terminal: [-> { PTY.open }, ->(master, _) { master.read(1) }],
  terminal_line: [-> { PTY.open }, ->(_, slave) { slave.gets }],
  terminal_partial: [-> { PTY.open }, ->(master, _) { master.readpartial(1) }],
  read: [PIPE, ->(r, _) { r.read(1) }], sysread: [PIPE, ->(r, _) { r.sysread(1) }],
  readpartial: [PIPE, ->(r, _) { r.readpartial(1) }], wait_readable: [PIPE, ->(r, _) { r.wait_readable }],
  wait_priority: [PAIR, ->(a, _) { a.wait_priority }],
  select: [PIPE, ->(r, _) { IO.select([r]) }], write: [-> { full_pipe }, ->(_, w) { w.write("y") }],
  send: [-> { full_pair }, ->(a, _) { a.send("y", 0) }], sendmsg: [-> { full_pair }, ->(a, _) { a.sendmsg("y") }],
  recvfrom: [PAIR, ->(a, _) { a.recvfrom(1) }], recvmsg: [PAIR, ->(a, _) { a.recvmsg }],
  accept: [-> { [TCPServer.new("127.0.0.1", 0)] }, ->(s) { s.accept }],
  flock: [-> { 2.times.map { File.open("#{DIR}/lock", "w") }.tap { it[1].flock(File::LOCK_EX) } },
          ->(a, _) { a.flock(File::LOCK_EX) }],
  fifo: [NOTHING, -> { File.open("#{DIR}/fifo") { } }],
  fifo_to_write: [NOTHING, -> { File.open("#{DIR}/fifo", "w") { } }],
}
def outcome((make, wait))
  before = descriptors
  ios = make.call
  thread = Thread.new do
    yield nil, -> { wait.call(*ios) }
  rescue => error
    [error.class, error.message]
  end
  sleep 0.002 until thread.stop?
  yield thread, nil
  ended = thread.join(20) ? thread.value : :waits
  reap($pid) if $pid
  $pid = nil
  ios.each(&:close)
  lost = descriptors - before
  lost.empty? ? ended : [ended, lost]
end
WAITS.map { |name, how| [name, outcome(how) { |thread, wait| wait ? wait.call : thread.kill }] }.reject { |_, outcome| outcome.nil? } # => []
WAITS.map { |name, how| [name, outcome(how) { |thread, wait| wait ? wait.call : thread.raise("now") }] }.reject { |_, outcome| outcome == [RuntimeError, "now"] } # => []
WAITS.map { |name, how| [name, outcome(how) { |_, wait| Timeout.timeout(0.05) { wait.call } if wait }] }.reject { |_, outcome| outcome == [Timeout::Error, "execution expired"] } # => []
sleep 0.05
begin
  Process.wait(-1, Process::WNOHANG)
rescue SystemCallError => error
  error.class # => Errno::ECHILD
end

# What a read had got when it was ended is there for the next one, and what a copy had not moved as well.
kept = [-> { it.kill }, -> { it.raise("now") }].map do |ending|
  r, w = IO.pipe
  thread = Thread.new { r.read(5) rescue nil }
  w << "abc"
  sleep 0.002 until thread.stop?
  ending.call(thread)
  thread.join
  w << "de"
  r.read(5).tap { [r, w].each(&:close) }
end
kept # => ["abcde", "abcde"]
r, w = full_pipe
from, to = IO.pipe
to << "copied"
thread = Thread.new { IO.copy_stream(from, w) }
sleep 0.002 until thread.stop?
thread.kill.join
to.close
w.close
r.read.size + from.read.size # => 65542
[r, from].each(&:close)
Dir.children(DIR).each { File.delete("#{DIR}/#{it}") }
Dir.rmdir(DIR) # => 0
