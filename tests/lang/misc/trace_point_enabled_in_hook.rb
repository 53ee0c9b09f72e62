# What a hook of a method's or block's entry enables begins behind the first line: debuggers step from there.
def two(x)
  y = x
  y
end
def lines_after(event, target)
  lines = []
  steps = TracePoint.new(:line) { |tp| lines << tp.lineno - target.source_location[1] if tp.path == __FILE__ }
  entry = TracePoint.new(event) { steps.enable(target_thread: Thread.current) }
  entry.enable(target: target)
  yield
  steps.disable
  entry.disable
  lines.first(1)
end
lines_after(:call, method(:two)) { two(1) } # => [2]
block = proc do
  a = 1
  a
end
lines_after(:b_call, block) { block.call } # => [2]
