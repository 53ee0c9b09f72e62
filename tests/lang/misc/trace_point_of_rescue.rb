# The event of a rescue clause has the line of what runs first in it;
# an exception that comes out of another fiber is raised there and here.

def lines
  seen = []
  TracePoint.new(:rescue) { |tp| seen << tp.lineno }.enable { yield }
  seen
end
x = lines do
  begin
    raise "x"
  rescue TypeError
    0
  rescue
    1
  end
end
x # => [15]
x = lines do
  begin
    raise "x"
  rescue => e

    1
  end
end
x # => [22]
x = lines do
  begin
    raise "x"
  rescue
  end
end
x # => [31]
x = lines do
  begin
    raise "x"
  rescue

    [1,
     2]
  ensure
    3
  end
end
x # => [40]
x = lines do
    raise "x" rescue 1
    (raise "x") rescue [1,
      2]
end
x # => [48, 49]

# What is seen of a fiber when it ends by an exception: each event, and whether the fiber runs then.
def switches(body, &last)
  seen = []
  fiber = nil
  TracePoint.new(:raise, :fiber_switch) { |tp| seen << [tp.event, Fiber.current.equal?(fiber)] }.enable do
    fiber = Fiber.new(&body)
    begin
      fiber.resume
      last.call(fiber)
    rescue
      seen << :rescued
    end
  end
  seen
end

switches(-> { Fiber.yield; Fiber.yield }) { |fiber| fiber.raise StopIteration } # => [[:fiber_switch, true], [:fiber_switch, false], [:fiber_switch, true], [:raise, true], [:fiber_switch, false], [:raise, false], :rescued]
switches(-> { Fiber.yield; raise "x" }, &:resume) # => [[:fiber_switch, true], [:fiber_switch, false], [:fiber_switch, true], [:raise, true], [:fiber_switch, false], [:raise, false], :rescued]
switches(-> { Fiber.yield; raise "x" }, &:kill) # => [[:fiber_switch, true], [:fiber_switch, false], [:fiber_switch, true], [:fiber_switch, false]]
