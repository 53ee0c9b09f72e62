# Ending work outside the lock: Thread#wakeup, Thread#run and their functions in C call the unblock function.
require_relative "fixtures/build"
OUTSIDE = load_c("outside")

define_method(:ended_by) do |way, &wake|
  thread = Thread.new { Outside.public_send(way) }
  thread.report_on_exception = false
  Thread.pass until thread.stop?
  sleep 0.05
  wake.call(thread)
  thread.join(10)&.value
end

ended_by(:wait, &:wakeup) # => ["u", true]
ended_by(:wait, &:run) # => ["u", true]
ended_by(:wait2, &:wakeup) # => ["u", true]
ended_by(:nogvl, &:wakeup) # => ["u", true]
ended_by(:signalled, &:wakeup) # => true
ended_by(:wait) { |thread| Outside.wake(thread) } # => ["u", true]
ended_by(:wait) { |thread| Outside.run(thread) } # => ["u", true]
ended_by(:wait) { |thread| thread.raise(IOError, "enough") } # raises IOError: enough
ended_by(:wait, &:kill) # => nil

# An exception that a mask holds back keeps no function from running, unless the flag says so.
ran = []
run_all = -> {
  ran << [0, Outside::INTR_FAIL, Outside::INTR_FAIL | Outside::PENDING_INTR_FAIL].map { |flags| Outside.ran(flags) }
}
run_all.call
masked = -> {
  Thread.handle_interrupt(IOError => :never) do
    Thread.current.raise(IOError, "held back")
    run_all.call
  end
}
masked.call # raises IOError: held back
ran # => [[true, true, true], [true, true, false]]

# What waits in Ruby goes on waiting.
reader, writer = IO.pipe
thread = Thread.new { reader.gets }
Thread.pass until thread.stop?
thread.wakeup.equal?(thread) # => true
thread.join(0.05) # => nil
writer.puts "line"
thread.value # => "line\n"
queue = Thread::Queue.new
thread = Thread.new { queue.pop }
Thread.pass until thread.stop?
thread.wakeup
thread.join(0.05) # => nil
queue << 1
thread.value # => 1
child = Thread.new { system("sleep 0.3") }
sleep 0.05
child.wakeup
child.value # => true
thread.wakeup # raises ThreadError: killed thread

# That a turn is over is no interrupt: the work runs. This mode asks for a switch at each safepoint.
PROGRAM = <<~'RUBY'
  require ARGV[0]
  thread = Thread.new { Outside.wait2 }
  sleep 0.01 until thread.stop?
  sleep 0.05
  thread.wakeup rescue 0
  p thread.value
RUBY
IO.popen([{ "RUBELLITE_STRESS" => "switch" }, RbConfig.ruby, "-e", PROGRAM, OUTSIDE], &:read) # => "[\"u\", true]\n"
