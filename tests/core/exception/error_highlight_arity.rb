# Calls with wrong arguments show the call and the definition, also that of a block, which is a level of the backtrace.
# needs: 4.0
require "tmpdir"
def shown(code)
  Dir.mktmpdir do |dir|
    file = "#{dir}/code.rb"
    File.write(file, code)
    load file
  rescue ArgumentError => e
    e.detailed_message(highlight: false).lines.drop(2).join.gsub(dir, "")
  end
end
shown("def self.f(a:) = 1\nf(b: 1)") # => "    caller: /code.rb:2\n    | f(b: 1)\n      ^\n    callee: /code.rb:1\n    | def self.f(a:) = 1\n              ^^"
shown("l = -> x { 1 }\nl.(1, 2)") # => "    caller: /code.rb:2\n    callee: /code.rb:1\n    | l = -> x { 1 }\n          ^^"
shown("l = lambda do |x:| 1 end\nl.call(y: 1)") # => "    caller: /code.rb:2\n    | l.call(y: 1)\n       ^^^^^\n    callee: /code.rb:1\n    | l = lambda do |x:| 1 end\n                 ^^"
shown("[1].first(1, 2)") # => "    caller: /code.rb:1\n    | [1].first(1, 2)\n         ^^^^^^"
begin
  -> { 1 }.call(2)
rescue ArgumentError => e
  trace = e.backtrace_locations.map(&:label).first(2)
end
trace # => ["block in <main>", "<main>"]
