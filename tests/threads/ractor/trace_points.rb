# Trace points hear of their own ractor alone, and end with it.
Warning[:experimental] = false
def traced = 1
calls = 0
point = TracePoint.new(:call) { |event| calls += 1 if event.callee_id == :traced }
point.enable
counts = 3.times.map do
  Ractor.new do
    own = 0
    TracePoint.new(:call) { |event| own += 1 if event.callee_id == :traced }.enable
    10.times { traced }
    own
  end
end.map(&:value)
counts # => [10, 10, 10]
calls # => 0
2.times { traced }
calls # => 2
point.disable
aimed = 0
target = TracePoint.new(:call) { aimed += 1 }
target.enable(target: method(:traced))
Ractor.new { traced }.value # => 1
aimed # => 0
traced # => 1
aimed # => 1
target.disable # => true
