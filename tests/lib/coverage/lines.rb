# A statement that goes over several lines counts on the line of what it evaluates first;
# lines that ran once are told once, in their order.
require "coverage"
require "tmpdir"

DIR = Dir.mktmpdir
at_exit { File.delete(*Dir["#{DIR}/*"]) && Dir.rmdir(DIR) }
PATH = "#{DIR}/measured.rb"

def measure(source, **modes)
  File.write(PATH, source)
  Coverage.start(**modes)
  load PATH
  Coverage.result[PATH]
end

measure("x = [\n  { a: 1.to_s },\n  2\n]\ny =\n  'value'\n'some string'.split\n  .map(&:length)\nz = [\n  1]\n", lines: true) # => {lines: [nil, 1, nil, nil, nil, 1, 1, nil, 1, nil]}
measure("def f(x)\n  x\nend\nf(1)\nf(\n  2)\nf(3)\n", oneshot_lines: true) # => {oneshot_lines: [1, 4, 2, 5, 7]}

File.write(PATH, "def f(x)\n  if x > 0\n    :a\n  else\n    :b\n  end\nend\n")
Coverage.start(oneshot_lines: true)
load PATH
told = -> { Coverage.result(stop: false, clear: true)[PATH] }
told.call # => {oneshot_lines: [1]}
f(1)
f(1)
told.call # => {oneshot_lines: [2, 3]}
f(-1)
told.call # => {oneshot_lines: [5]}
f(-1)
told.call # => {oneshot_lines: []}
Coverage.result.keys == [PATH] # => true

# Lines of an eval that are numbered below 1 have no place.
Coverage.start(eval: true, lines: true)
eval("p\np\np\n", TOPLEVEL_BINDING, "numbered.rb", -1)
Coverage.result["numbered.rb"] # => {lines: [1]}

events = []
trace = TracePoint.new(:line) { |point| events << point.lineno if point.path == PATH }
File.write(PATH, "x =\n  [\n    1.to_s,\n    2\n  ]\n\nx &&\n  1\n")
trace.enable { load PATH }
events # => [3, 7]
