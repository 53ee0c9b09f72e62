# In the child, the fiber that forked is the root: it has nobody to yield to, and the process ends with it
reader, WRITER = IO.pipe
def say(*words) = WRITER.syswrite(words.map(&:inspect).join(" ") + "\n")
def exit_of(pid) = Process.wait2(pid)[1].exitstatus
forking = Fiber.new do
  outer = Fiber.current
  exit_of(fork do
    say Fiber.current.equal?(outer), outer.alive?
    say((Fiber.yield(1) rescue $!.message))
    say((outer.resume rescue $!.message))
    inner = Fiber.new { Fiber.yield 1; 2 }
    say inner.resume, inner.resume, inner.alive?
    moved = Fiber.new { outer.transfer(3) }
    say moved.transfer
    ended = Fiber.new { 4 }
    say ended.transfer
    say((outer.raise("it goes on") rescue $!.message))
    GC.start
    say Fiber.new { exit_of(fork { say((Fiber.yield rescue $!.message)); exit!(6) }) }.resume
    exit!(5)
  end)
end
forking.resume # => 5

forking = Fiber.new do
  pid = fork or begin
    at_exit { say :at_exit, Fiber.current.alive? }
    next say(:child)
  end
  exit_of(pid)
end
forking.resume # => 0
forking.alive? # => false

# An exception is the program's; a kill ends it.
Fiber.new { pid = fork or ($stderr.reopen(File::NULL); raise "nobody rescues"); exit_of(pid) }.resume # => 1
Fiber.new { pid = fork or begin at_exit { say :killed }; Fiber.current.kill end; exit_of(pid) }.resume # => 0

# The fiber that resumed it stands where it stood.
outermost = Fiber.new do
  me = Fiber.current
  inner = Fiber.new do
    exit_of(fork do
      say((me.resume rescue $!.message), (me.transfer rescue $!.message))
      exit!(7)
    end)
  end
  inner.resume
end
outermost.resume # => 7

# In a thread of its own, too.
Thread.new { Fiber.new { pid = fork or (say(:thread, Thread.main == Thread.current); next 9); exit_of(pid) }.resume }.value # => 0

WRITER.close
puts reader.read
# prints: true true
# prints: "attempt to yield on a not resumed fiber"
# prints: "attempt to resume the current fiber"
# prints: 1 2 false
# prints: 3
# prints: 4
# prints: "it goes on"
# prints: "attempt to yield on a not resumed fiber"
# prints: 6
# prints: :child
# prints: :at_exit false
# prints: :killed
# prints: "attempt to resume a resumed fiber (double resume)" "attempt to transfer to a resuming fiber"
# prints: :thread true
