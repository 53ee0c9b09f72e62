# The line of an `elsif` is counted as often as its condition is asked.
require "coverage"
require "tempfile"
file = Tempfile.new(["elsif", ".rb"])
file.write("def m(x)\n  if x == 1\n    :a\n  elsif x == 2\n    :b\n  elsif x ==\n    3\n    :c\n  else\n    :d\n" \
           "  end\nend\nm(1)\nm(3)\nm(4)\n")
file.flush
Coverage.start
load file.path
Coverage.result[file.path] # => [1, 3, 1, 2, 0, 2, nil, 1, nil, 1, nil, nil, 1, 1, 1]
lines = []
TracePoint.new(:line) { |tp| lines << tp.lineno if tp.path == file.path }.enable { m(4) }
lines # => [2, 4, 6, 10]
