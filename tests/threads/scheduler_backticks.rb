# What a command writes is read by the scheduler of a non-blocking fiber, which is given an IO,
# and so is waited for its end.
class Reader
  attr_reader :calls

  def initialize
    @calls = []
  end

  def io_read(io, buffer, length, offset)
    @calls << [:io_read, io.class, length, offset]
    Fiber.blocking do
      until (got = buffer.read(io, 0, offset)) != -Errno::EAGAIN::Errno
        IO.select([io])
      end
      got
    end
  end

  def process_wait(pid, flags)
    @calls << :process_wait
    Fiber.blocking { Process::Status.wait(pid, flags) }
  end

  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
  def io_wait(_io, events, _timeout) = events
  def kernel_sleep(*) = nil
  def block(*) = nil
  def unblock(*) = nil
  def fiber_interrupt(*) = nil
  def scheduler_close = nil
end

reader = Reader.new
text = status = nil
Thread.new do
  Fiber.set_scheduler(reader)
  Fiber.schedule { text, status = `echo from a command`, $?.success? }
end.join
text # => "from a command\n"
status # => true
reader.calls.uniq # => [[:io_read, IO, 0, 0], :process_wait]

# An exception of the scheduler leaves no descriptor behind.
def descriptors = Dir.children("/proc/self/fd").size

before = descriptors
def reader.io_read(*) = raise("refused")
message = Thread.new do
  Fiber.set_scheduler(reader)
  Fiber.schedule { 5.times { `true` } rescue text = $!.message }
end.join && text
message # => "refused"
GC.start
descriptors <= before # => true
