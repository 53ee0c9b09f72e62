# needs: 4.0
# In a non-blocking fiber reads and writes go to the scheduler's hooks, if it has them.
require "tmpdir"
class Transfers
  attr_reader :log
  def initialize(answer = nil) = (@log, @answer, @ready = [], answer, [])
  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
  def block(blocker, timeout = nil) = Fiber.yield
  def unblock(blocker, fiber) = nil
  def kernel_sleep(duration = nil) = nil
  def io_wait(io, events, timeout) = events
  def fiber_interrupt(fiber, exception) = nil
  def close = nil
  def io_read(io, buffer, length, offset)
    @log << [:io_read, buffer.class, buffer.size > 0, length, offset]
    @answer || Fiber.blocking { buffer.read(io, 0, offset) }
  end
  def io_write(io, buffer, length, offset)
    @log << [:io_write, buffer.get_string, length, offset]
    @answer || Fiber.blocking { buffer.write(io, 0, offset) }
  end
  def io_pread(io, buffer, from, length, offset)
    @log << [:io_pread, buffer.size, from, length, offset]
    @answer || Fiber.blocking { buffer.pread(io, from, 0, offset) }
  end
  def io_pwrite(io, buffer, from, length, offset)
    @log << [:io_pwrite, buffer.get_string, from, length, offset]
    @answer || Fiber.blocking { buffer.pwrite(io, from, 0, offset) }
  end
end
def within(scheduler)
  result = nil
  Thread.new do
    Fiber.set_scheduler(scheduler)
    Fiber.schedule { result = begin; yield; rescue SystemCallError; $!.class; end }
  end.join
  result
end
path = File.join(Dir.tmpdir, "transfers-#{Process.pid}")
writing = Transfers.new
within(writing) { File.open(path, "w") { |f| f << "foo"; f.flush; f.write("ba", "r") } } # => 3
writing.log # => [[:io_write, "foo", 0, 0], [:io_write, "bar", 0, 0]]
reading = Transfers.new
within(reading) { File.open(path) { |f| [f.readpartial(2), f.read] } } # => ["fo", "obar"]
reading.log.uniq # => [[:io_read, IO::Buffer, true, 0, 0]]
at = Transfers.new
within(at) { File.open(path, "r+") { |f| [f.pread(3, 2), f.pwrite("XY", 1), f.pread(6, 0)] } } # => ["oba", 2, "fXYbar"]
at.log # => [[:io_pread, 3, 2, 0, 0], [:io_pwrite, "XY", 1, 0, 0], [:io_pread, 6, 0, 0, 0]]
within(Transfers.new(-Errno::EBADF::Errno)) { File.open(path, "w+") { |f| f.read } } # => Errno::EBADF
within(Transfers.new(-Errno::EINVAL::Errno)) { File.open(path, "w") { |f| f.sync = true; f << "foo" } } # => Errno::EINVAL
within(Transfers.new(-Errno::EINVAL::Errno)) { File.open(path, "w") { |f| f << "foo" } } # => Errno::EINVAL
# Outside of such fibers nobody is asked.
blocking = Transfers.new
within(blocking) { Fiber.blocking { File.write(path, "plain") } } # => 5
blocking.log # => []
File.delete(path)
