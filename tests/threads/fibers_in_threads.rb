f = Fiber.new { Fiber.yield 1; 2 }
f.resume # => 1
Thread.new { f.resume }.tap { |t| t.report_on_exception = false }.join # raises FiberError: fiber called across threads
f.resume # => 2
4.times.map { |n| Thread.new { g = Fiber.new { |x| y = Fiber.yield(x + n); x * y }; [g.resume(1), g.resume(10)] } }.map(&:value) # => [[1, 10], [2, 10], [3, 10], [4, 10]]
e = [1, 2, 3].each
[e.next, Thread.new { [4, 5].each.next }.value, e.next] # => [1, 4, 2]
