# A trace point for a method made of a block is about that method, also where others are made of the same block.
def wrap(name)
  String.prepend(Module.new { define_method(name) { |*args, **opts, &block| super(*args, **opts, &block) } })
end
wrap(:upcase)
wrap(:downcase)
seen = []
first = TracePoint.new(:call, :return) { |event| seen << [1, event.event, event.method_id] }
second = TracePoint.new(:call, :line) { |event| seen << [2, event.event, event.method_id] }
first.enable(target: String.instance_method(:upcase))
second.enable(target: String.instance_method(:downcase))
"x".upcase
"x".downcase
[first, second].each(&:disable)
seen.reject { |_, event, _| event == :line } # => [[1, :call, :upcase], [1, :return, :upcase], [2, :call, :downcase]]
