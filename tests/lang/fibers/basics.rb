f = Fiber.new do |x|
  y = Fiber.yield(x + 1)
  z = Fiber.yield(y * 2)
  [:end, z]
end
f.resume(1) # => 2
f.resume(10) # => 20
f.alive? # => true
f.resume(:last) # => [:end, :last]
f.alive? # => false
f.resume # raises FiberError: attempt to resume a terminated fiber
Fiber.yield # raises FiberError: attempt to yield on a not resumed fiber
g = Fiber.new { raise ArgumentError, "inside" }
g.resume # raises ArgumentError: inside
h = Fiber.new { begin; Fiber.yield 1; rescue => e; e.message; end }
h.resume
h.raise("sent") # => "sent"
Fiber.new { Fiber.current.class }.resume # => Fiber
k = Fiber.new { k.resume }
k.resume # raises FiberError: attempt to resume the current fiber
