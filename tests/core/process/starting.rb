# Starting processes: while a redirection waits, after a signal, and what a failure is about.
# timeout: 40
require "tmpdir"
require "timeout"
dir = Dir.mktmpdir
Dir.chdir(dir)
File.mkfifo("fifo")

# The child waits for the other end of a FIFO; other threads run meanwhile, and interrupts end it.
turns = 0
writer = Thread.new { 20.times { turns += 1; sleep 0.005 }; File.write("fifo", "ok\n") }
IO.popen(["cat", in: "fifo"], &:read) # => "ok\n"
turns # => 20
writer.join
Timeout.timeout(0.1) { system("cat", in: "fifo") } # raises Timeout::Error: execution expired
# A thread that starts a command does not count as asleep: once it looks so, the command runs.
stuck = Thread.new { spawn("cat", in: "fifo") }
sleep 0.005 until stuck.native_thread_id
children = "/proc/#{$$}/task/#{stuck.native_thread_id}/children"
sleep 0.005 until !File.exist?(children) || File.read(children) != ""
stuck.status # => "run"
stuck.kill.join(5).nil? # => false
popens = 20.times.map do
  pid = nil
  thread = Thread.new { IO.popen("cat", "w") { |io| pid = io.pid; sleep } }
  Thread.pass until thread.stop?
  thread.run.join
  pid.class
end
popens.uniq # => [Integer]
handled = Queue.new
trap("USR1") { handled << 1; Thread.new { File.write("fifo", "late") } }
Thread.new { sleep 0.05; Process.kill("USR1", $$) }
IO.popen(["cat", in: "fifo"], &:read) # => "late"
handled.size # => 1
trap("USR1", "DEFAULT")
Process.wait # raises Errno::ECHILD

# A signal right after the fork is the child's own.
ends = 100.times.map do
  pid = fork { sleep 5 }
  Process.kill("TERM", pid)
  Process.wait2(pid)[1].termsig
end
ends.uniq # => [15]
ends = 50.times.map do
  pid = spawn("sleep", "5")
  Process.kill("TERM", pid)
  Process.wait2(pid)[1].termsig
end
ends.uniq # => [15]

# The error names what is missing.
spawn("true", in: "missing/in") # raises Errno::ENOENT: No such file or directory - missing/in
spawn("true", out: "missing/out") # raises Errno::ENOENT: No such file or directory - missing/out
spawn("true", chdir: "missing") # raises Errno::ENOENT: No such file or directory - missing
spawn("missing-program") # raises Errno::ENOENT: No such file or directory - missing-program

# A file without #! is the shell's.
File.write("script", "echo $#: $@ $var\n", perm: 0o755)
IO.popen([{ "var" => "v" }, "./script", "a b", "c"], &:read) # => "2: a b c v\n"

# popen("-"): whatever happens in the child's block, it ends there.
IO.popen("-") { |io| io ? io.read : (print "x"; at_exit { print "not here" }; raise "quiet") } # => "x"
$?.exitstatus # => 0
class << Process
  alias old_fork _fork
  def _fork = old_fork.tap { |pid| $forked = pid }
end
IO.popen("-") { |io| io&.read }
$forked == $?.pid # => true

# A daemon leads a session of its own.
IO.popen("-", "r+") do |io|
  if io
    pid, session = 2.times.map { Integer(io.gets) }
    pid == session # => true
    io.puts
  else
    Process.daemon(true, true)
    puts $$, Process.getsid
    gets
  end
end
Process.groups = [0] * 70_000 # raises ArgumentError: too many groups, 65536 max
Process.groups = ["no such group"] # raises ArgumentError: can't find group for no such group
Dir.chdir("/")
["fifo", "script"].each { |name| File.delete("#{dir}/#{name}") }
Dir.rmdir(dir)
