# The event of a rescue clause has the line of what runs first in it; an exception that comes out of another fiber is raised
# there and here.

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

seen = []
f = nil
TracePoint.new(:raise, :fiber_switch) { |tp| seen << [tp.event, Fiber.current.equal?(f)] }.enable do
  f = Fiber.new { Fiber.yield; Fiber.yield }
  begin
    f.resume
    f.raise StopIteration
  rescue StopIteration
    seen << :rescued
  end
end
seen # => [[:fiber_switch, true], [:fiber_switch, false], [:fiber_switch, true], [:raise, true], [:fiber_switch, false], [:raise, false], :rescued]
seen = []
TracePoint.new(:raise, :fiber_switch) { |tp| seen << [tp.event, Fiber.current.equal?(f)] }.enable do
  f = Fiber.new { Fiber.yield; raise "x" }
  begin
    f.resume
    f.resume
  rescue
    seen << :rescued
  end
end
seen # => [[:fiber_switch, true], [:fiber_switch, false], [:fiber_switch, true], [:raise, true], [:fiber_switch, false], [:raise, false], :rescued]
seen = []
TracePoint.new(:raise, :fiber_switch) { |tp| seen << [tp.event, Fiber.current.equal?(f)] }.enable do
  f = Fiber.new { Fiber.yield; raise "x" }
  begin
    f.resume
    f.kill
  rescue
    seen << :rescued
  end
end
seen # => [[:fiber_switch, true], [:fiber_switch, false], [:fiber_switch, true], [:fiber_switch, false]]
