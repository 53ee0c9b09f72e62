# A fiber that is left in the midst of a hook: events of other fibers are reported meanwhile, its own are not until the
# hook ends.
lines = []
leaving = TracePoint.new(:b_return) { Fiber.yield :left }
fiber = Fiber.new do
  leaving.enable { 1.times { } }
  :ended
end
fiber.resume # => :left
leaving.disable
watching = TracePoint.new(:call) { |event| lines << event.method_id }
def watched = 1
watching.enable { watched }
lines # => [:watched]
fiber.resume # => :ended
watching.enable { watched }
lines # => [:watched, :watched]

# A fiber that a hook makes is part of it, also when it ends later.
calls = 0
made = nil
making = TracePoint.new(:call) do
  calls += 1
  made = Fiber.new { watched; Fiber.yield; watched }
  made.resume
end
making.enable { watched }
calls # => 1
made.resume
making.enable { watched }
calls # => 2
