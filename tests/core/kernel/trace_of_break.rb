# A block that breaks returns what it breaks with; a thread's own trace function hears of its return.
events = []
def iterate = yield
def breaks = iterate { break :value }
TracePoint.new(:b_return, :return) { |tp| events << [tp.event, tp.method_id, tp.return_value] if tp.path == __FILE__ }
  .enable { breaks }
events.first(3) # => [[:b_return, :breaks, :value], [:return, :iterate, nil], [:return, :breaks, :value]]
heard = []
Thread.current.set_trace_func(proc { |event, _, _, id| heard << [event, id] if heard.size < 2 })
heard.size
Thread.current.set_trace_func(nil)
heard.first # => ["c-return", :set_trace_func]
