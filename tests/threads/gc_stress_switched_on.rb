# GC.stress that is switched on when a collection has already looked at the stacks of waiting threads and fibers.
waiting, go = Queue.new, Queue.new
thread = Thread.new { waiting << true; go.pop }
waiting.pop
Thread.pass until thread.stop?
fiber = Fiber.new { |text| Fiber.yield(text + "b") }
fiber.resume("a") # => "ab"
GC.start
begin
  GC.stress = true
  made = Array.new(3) { |i| "c" * i }
ensure
  GC.stress = false
end
made # => ["", "c", "cc"]
go << "d"
thread.value # => "d"
fiber.resume("e") # => "e"
