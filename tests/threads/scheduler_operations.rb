# needs: 4.0
# Native work outside the lock is offered to the scheduler's blocking_operation_wait.
require "tempfile"
require "timeout"
require "zlib"
class Offered
  attr_reader :work
  def initialize(&hook) = (@hook, @work = hook, [])
  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
  def block(blocker, timeout = nil) = nil
  def unblock(blocker, fiber) = nil
  def kernel_sleep(duration = nil) = nil
  def io_wait(io, events, timeout) = events
  def fiber_interrupt(fiber, exception) = nil
  def blocking_operation_wait(work)
    @work << work
    Fiber.blocking { @hook.call(work) }
  end
  def close = nil
end
# A scheduler whose fibers are left while their work is done by a thread.
class Worker < Offered
  def initialize = (@work, @ready, @waiting = [], Thread::Queue.new, 0)
  def blocking_operation_wait(work)
    fiber = Fiber.current
    @waiting += 1
    Thread.new { work.call; @ready << fiber }
    Fiber.yield
  end
  def close
    while @waiting > 0
      fiber = @ready.pop
      @waiting -= 1
      fiber.resume
    end
  end
end
def within(scheduler)
  result = nil
  Thread.new do
    Thread.current.report_on_exception = false
    Fiber.set_scheduler(scheduler)
    Fiber.schedule { result = begin; yield; rescue RuntimeError, Timeout::Error; [$!.class, $!.message]; end }
  end.join
  result
end
text = Random.new(1).bytes(300_000)
packed = Zlib.deflate(text)

# The hook calls the work itself, in another thread, or not at all.
within(direct = Offered.new { |work| work.call }) { Zlib.inflate(packed) == text } # => true
direct.work.size > 0 # => true
within(apart = Offered.new { |work| Thread.new { work.call }.join }) { Zlib.inflate(Zlib.deflate(text)) == text } # => true
apart.work.size >= 2 # => true
within(never = Offered.new { |work| nil }) { Zlib.deflate(text) == packed } # => true
never.work.size > 0 # => true
within(Offered.new { |work| raise "no" }) { Zlib.deflate(text) } # => [RuntimeError, "no"]
# What it raises after the work was done counts.
within(Offered.new { |work| work.call; raise "late" }) { Zlib.deflate(text) } # => [RuntimeError, "late"]

# An operation is called once, and not after the hook has returned.
operation = apart.work.first
operation.class.name # => nil
operation.class.superclass # => Object
operation.call # raises RuntimeError: Blocking operation has already been executed!
never.work.first.call # raises RuntimeError: Blocking operation has no function to execute!
operation.class.new.call # raises RuntimeError: Blocking operation has no function to execute!
answers = []
twice = Offered.new { |work| answers << work.call << (work.call rescue $!.message) }
within(twice) { Zlib.deflate(text) == packed } # => true
answers.first(2) # => [nil, "Blocking operation has already been executed!"]

# Other fibers run meanwhile.
order = []
worker = Worker.new
Thread.new do
  Fiber.set_scheduler(worker)
  Fiber.schedule { order << :begin; order << (Zlib.inflate(packed) == text) }
  Fiber.schedule { order << :other }
end.join
order # => [:begin, :other, true]

# Files, directories, copies, long arithmetic.
Tempfile.create do |from|
  Tempfile.create do |to|
    from.write(text)
    from.flush
    copy = Offered.new { |work| Thread.new { work.call }.join }
    within(copy) { [File.open(from.path, &:size), IO.copy_stream(from.path, to.path), File.binread(to.path) == text] } # => [300000, 300000, true]
    copy.work.size > 3 # => true
    within(copy) { IO.copy_stream(from.path, to.path, 10, 5) } # => 10
    File.binread(to.path) == text[5, 10] # => true
    within(Offered.new { |work| work.call; raise "late" }) { File.open(from.path) } # => [RuntimeError, "late"]
  end
end
within(Offered.new { |work| Thread.new { work.call }.join }) { File.open("/nonexistent") rescue $!.class } # => Errno::ENOENT
within(listing = Offered.new { |work| Thread.new { work.call }.join }) { Dir.glob("/").size } # => 1
listing.work.size # => 1
big = 7**500_000
within(long = Offered.new { |work| Thread.new { work.call }.join }) { big * 3 / 3 == big && (big * big / big == big) } # => true

# A worker that is killed in the middle loses nothing.
killing = Offered.new { |work| thread = Thread.new { work.call }; Thread.pass; thread.kill; thread.join }
within(killing) { Zlib.deflate(text * 20) == Zlib.deflate(text * 20) } # => true
# A hook that gives up stops the work, and so does a Timeout around it.
bomb = Zlib::Deflate.new(9, -15).deflate("\0" * (2 << 20), Zlib::FULL_FLUSH) * 2048 + "\x03\x00"
begun = false
leaving = Offered.new do |work|
  Thread.new { begun = true; work.call }
  sleep 0.01 until begun
  sleep 0.05
  raise "enough"
end
t0 = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
within(leaving) { Zlib::Inflate.new(-15).inflate(bomb) } # => [RuntimeError, "enough"]
joining = Offered.new { |work| Thread.new { work.call }.join }
within(joining) { Timeout.timeout(0.1) { Zlib::Inflate.new(-15).inflate(bomb) } } # => [Timeout::Error, "execution expired"]
Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - t0 < 1 # => true

# A fiber that is never resumed, and its work with it.
lost = Offered.new { |work| Thread.new { work.call }; Fiber.yield }
20.times { within(lost) { Zlib.deflate(text) } }
GC.start
lost.work.clear
GC.start
lost.work.size # => 0
# Blocking fibers ask nobody.
blocking = Offered.new { |work| work.call }
within(blocking) { Fiber.blocking { Zlib.deflate(text) == packed } } # => true
blocking.work # => []
