# A Fiber has one body and one pair of stacks, suspended or running.
suspended = Fiber.new { Fiber.yield 1 }
suspended.resume
suspended.send(:initialize) { 2 } # raises RuntimeError: cannot initialize twice
running = Fiber.new do
  running.send(:initialize) { 2 }
rescue RuntimeError => error
  error.message
end
running.resume # => "cannot initialize twice"
fresh = Fiber.new { 3 }
fresh.send(:initialize) { 4 } # raises RuntimeError: cannot initialize twice
fresh.resume # => 3
200.times { Fiber.new { Fiber.yield }.tap(&:resume).send(:initialize) { } rescue nil }
20.times { GC.start }
GC.count > 0 # => true
