Fiber[:a] = 1
Fiber.new { Fiber[:a] }.resume # => 1
Fiber.new(storage: { a: 2 }) { Fiber[:a] }.resume # => 2
Thread.current[:x] = 1
Fiber.new { Thread.current[:x] }.resume # => nil
Thread.current.thread_variable_set(:y, 2)
Fiber.new { Thread.current.thread_variable_get(:y) }.resume # => 2
Fiber.new { Fiber[:b] = 5 }.resume
Fiber[:b] # => nil
