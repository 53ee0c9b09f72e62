# A thread that is killed in the block of `popen` closes the pipe and does not wait for the child;
# without a kill it does.
# timeout: 60
pids = Queue.new
thread = Thread.new do
  IO.popen("exec sleep 60") do |io|
    pids << [io.pid, io]
    sleep
  end
end
pid, io = pids.pop
thread.kill
thread.join(20).equal?(thread) # => true
io.closed? # => true
Process.kill(:KILL, pid) # => 1
Process.wait(pid) == pid # => true

# The same at the end of the program.
program = 'told = Queue.new; Thread.new { IO.popen("exec sleep 60", err: File::NULL) { STDOUT.puts _1.pid; ' \
          'STDOUT.flush; told << 1; sleep } }; told.pop'
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
out = IO.popen([RbConfig.ruby, "-e", program])
pid = Integer(out.gets)
Process.wait(out.pid)
Process.clock_gettime(Process::CLOCK_MONOTONIC) - started < 40 # => true
Process.kill(:KILL, pid) # => 1
IO.popen("exit 3") { } # => nil
$?.exitstatus # => 3
