# How a child ends that a thread, a fiber, an enumerator or a signal handler has forked;
# what is its own and what its parent's.
# timeout: 60
$stdout.sync = true
reader, WRITER = IO.pipe
def say(text) = WRITER.syswrite("#{text}\n")
PARENT = $$
handled = fork do
  at_exit { say("at_exit of the #{$$ == PARENT ? "parent" : "child"}") }
  exit_of = ->(pid) { Process.wait2(pid)[1].exitstatus }
  PARENT_OF_ALL = $$
  forker = Thread.new { fork { at_exit { say("inner, main: #{Thread.main == Thread.current}") }; say("body") } }
  say exit_of.(forker.value)
  say exit_of.(Thread.new { fork { exit(5) } }.value)
  say exit_of.(Thread.new { fork { begin; exit(6); ensure; say("ensure"); end } }.value)
  say exit_of.(Thread.new { fork { Thread.exit } }.value)
  say exit_of.(Thread.new { fork or (say("without a block"); 7) }.value)
  say exit_of.(Enumerator.new { |y| y << fork { say("in an enumerator") } }.next)
  say exit_of.(Fiber.new { fork { say("in a fiber") } }.resume)
  pids = Queue.new
  trap(:USR1) { pids << fork { say("in a handler"); exit!(8) } }
  Process.kill(:USR1, $$)
  say exit_of.(pids.pop)
  exit!(0)
end
Process.wait(handled)
# A jump out of the block is an error in the child.
def leave_loudly = fork { return 1 }
def leave = fork { $stderr.reopen(File::NULL); return 1 }
pid = leave
Process.wait2(pid)[1].exitstatus # => 1
pid = fork { $stderr.reopen(File::NULL); break }
Process.wait2(pid)[1].exitstatus # => 1
pid = catch(:done) { fork { $stderr.reopen(File::NULL); throw :done } }
Process.wait2(pid)[1].exitstatus # => 1
# It is one line on standard error.
complaint = lambda do |&block; reader, writer|
  reader, writer = IO.pipe
  pid = fork { $stderr.reopen(writer); Process.wait(block.call); exit!($?.exitstatus) }
  writer.close
  [reader.read.split(":").last, Process.wait2(pid)[1].exitstatus]
end
complaint.call { fork { break } } # => [" unexpected break\n", 1]
complaint.call { leave_loudly } # => [" unexpected return\n", 1]
complaint.call { catch(:done) { fork { throw :done } } } # => [" unexpected throw\n", 1]
# The last status is the thread's, also in the child.
system("exit 9")
Process.wait2(fork { exit!($?.exitstatus + 1) })[1].exitstatus # => 10
WRITER.close
reader.read.lines(chomp: true) # => ["body", "inner, main: true", "at_exit of the child", "0", "at_exit of the child", "5", "ensure", "at_exit of the child", "6", "at_exit of the child", "0", "without a block", "at_exit of the child", "0", "in an enumerator", "at_exit of the child", "0", "in a fiber", "at_exit of the child", "0", "in a handler", "8"]
