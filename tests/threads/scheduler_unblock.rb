# What a scheduler is told in `block` and in `unblock`: a condition variable hands over the mutex that was given to
# `wait`, a thread that ends the thread that waits for it.
class Recorder
  attr_reader :told

  def initialize(names)
    @names = names
    @told = []
    @woken = Thread::Queue.new
    @waiting = 0
  end

  def run
    while @waiting > 0
      @woken.pop.resume
    end
  end
  alias close run

  def block(blocker, timeout = nil)
    @told << [:block, name(blocker), timeout]
    @waiting += 1
    Fiber.yield
    @waiting -= 1
  end

  def unblock(blocker, fiber)
    @told << [:unblock, name(blocker)]
    @woken << fiber
  end

  def kernel_sleep(duration = nil) = block(:sleep, duration)
  def io_wait(*) = raise(NotImplementedError)
  def fiber(&) = Fiber.new(blocking: false, &).tap(&:resume)

  private def name(object) = @names.key(object) || object
end

def told(**names)
  Thread.new do
    names[:waiter] = Thread.current
    scheduler = Recorder.new(names)
    Fiber.set_scheduler(scheduler)
    yield
    scheduler.run
    scheduler.told
  end.value
end

mutex, queue, condition = Mutex.new, Queue.new, ConditionVariable.new
list = told(mutex:, condition:) do
  2.times { Fiber.schedule { mutex.synchronize { condition.wait(mutex) } } }
  Fiber.schedule { mutex.synchronize { condition.signal } }
  Fiber.schedule { mutex.synchronize { condition.broadcast } }
end
list # => [[:block, :sleep, nil], [:block, :sleep, nil], [:unblock, :mutex], [:unblock, :mutex]]
list = told(mutex:, condition:) do
  Fiber.schedule { mutex.synchronize { condition.wait(mutex) } }
  Thread.new { mutex.synchronize { condition.signal } }.join
end
list # => [[:block, :sleep, nil], [:unblock, :mutex]]
own = Object.new
def own.sleep(_) = Fiber.scheduler.block(:own)
list = told(own:, condition:) do
  Fiber.schedule { condition.wait(own) }
  Fiber.schedule { condition.signal }
end
list # => [[:block, :own, nil], [:unblock, :own]]
list = told(queue:) do
  Fiber.schedule { queue.pop }
  Fiber.schedule { queue << 1 }
  Fiber.schedule { queue.pop }
  Fiber.schedule { queue.close }
end
list # => [[:block, :queue, nil], [:unblock, :queue]]
sized = SizedQueue.new(1)
list = told(sized:) do
  Fiber.schedule { 2.times { |i| sized << i } }
  Fiber.schedule { sized.clear }
end
list # => [[:block, :sized, nil], [:unblock, :sized]]
gate = Queue.new
thread = Thread.new { gate.pop }
list = told(thread:) do
  Fiber.schedule { thread.join }
  Fiber.schedule { thread.value }
  gate << 1
end
list # => [[:block, :thread, nil], [:block, :thread, nil], [:unblock, :waiter], [:unblock, :waiter]]
