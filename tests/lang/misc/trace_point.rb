events = []
def traced(x) = x + 1
tp = TracePoint.new(:call, :return) { |t| events << [t.event, t.method_id] }
tp.enable { traced(1) }
events # => [[:call, :traced], [:return, :traced]]
raised = []
TracePoint.new(:raise) { |t| raised << t.raised_exception.message }.enable { (raise "a" rescue 0) }
raised # => ["a"]
tp.enabled? # => false
