# The fiber that a thread began with ends with it.
fiber = Thread.new { Fiber.current }.value
fiber.alive? # => false
fiber.inspect[/\(\w+\)/] # => "(terminated)"
fiber.resume # raises FiberError: attempt to resume a terminated fiber
inner = nil
Thread.new { (inner = Fiber.new { Fiber.yield }).resume }.join
inner.resume # raises FiberError: fiber called across threads
Thread.new { Thread.current.kill; Fiber.current }.join
Fiber.current.alive? # => true
