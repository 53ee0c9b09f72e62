# Statements with a `rescue` modifier are lines of their own for trace points, and so is what a clause evaluates.
def lines_of(source)
  lines = []
  point = TracePoint.new(:line) { |event| lines << event.lineno if event.path == "traced" }
  point.enable { eval(source, TOPLEVEL_BINDING.dup, "traced", 1) }
  lines
end
lines_of("missing rescue nil") # => [1]
lines_of("missing rescue nil\n2.succ rescue 3\n4") # => [1, 2, 3]
lines_of("x = (missing rescue 3)") # => [1]
lines_of("[1].each { |x|\n x rescue 1 }") # => [1, 2]
lines_of("if true\n missing rescue 1\nend") # => [2]
lines_of("a, b = missing rescue [1, 2]") # => [1]
lines_of("defined?(x)") # => [1]
lines_of("module Traced\n missing rescue 1\nend") # => [1, 2]
lines_of("case\nwhen (missing rescue 1) then 2\nend") # => [2, 2]
lines_of("case\nwhen nil.to_s\n 2\nend") # => [2, 3]
lines_of("begin; missing; rescue NameError; 1; end") # => [1, 1]
lines_of("i = 0\nbegin\n i += 1\n missing if i < 3\nrescue NameError\n retry\nend") # => [1, 3, 4, 6, 3, 4, 6, 3, 4]
