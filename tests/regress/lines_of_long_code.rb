# Lines of code with thousands of them: in backtraces, events and error reports.
lines = (1..3_000).map { |n| n % 500 == 0 ? "seen << caller_locations(0, 1)[0].lineno" : "x += 1" }
source = "x = 0\n" + lines.join("\n") + "\nraise 'end' if stop\nx\n"
seen = []
stop = false
eval(source, binding, "long.rb", 1) # => 2994
seen # => [501, 1001, 1501, 2001, 2501, 3001]
stop = true
begin
  eval(source, binding, "long.rb", 1)
rescue => error
  error.backtrace_locations.first.lineno # => 3002
end

# Events of each line, in order.
stop = false
events = []
point = TracePoint.new(:line) { |tp| events << tp.lineno if tp.path == "long.rb" }
point.enable { eval(source, binding, "long.rb", 1) }
events == (1..3_003).to_a # => true
