# Branches: conditionals whose outcome is open, loops, `case` and calls with `&.`, each with its arms and how often each
# ran; places are line and column of the beginning and the end. Values are CRuby's.
require "coverage"
require "tmpdir"

DIR = Dir.mktmpdir
at_exit { File.delete(*Dir["#{DIR}/*"]) && Dir.rmdir(DIR) }

def measure(source, **modes)
  path = "#{DIR}/measured.rb"
  File.write(path, source)
  Coverage.start(**modes)
  load path
  Coverage.result[path]
end

def branches(source) = measure(source, branches: true)[:branches]

Coverage.supported?(:branches) # => true
branches("2.times { |i| if i == 0\n 1\nelse\n 2\nend }\n") # => {[:if, 0, 1, 14, 5, 3] => {[:then, 1, 2, 1, 2, 2] => 1, [:else, 2, 4, 1, 4, 2] => 1}}
branches("def f(x)\n  :a if x\nend\nf(1); f(2); f(nil)\n") # => {[:if, 0, 2, 2, 2, 9] => {[:then, 1, 2, 2, 2, 4] => 2, [:else, 2, 2, 2, 2, 9] => 1}}
branches("def f(x) = x ? 1 : (x == false ? 2 : 3)\nf(nil)\n") # => {[:if, 0, 1, 11, 1, 39] => {[:then, 1, 1, 15, 1, 16] => 0, [:else, 2, 1, 19, 1, 39] => 1}, [:if, 3, 1, 20, 1, 38] => {[:then, 4, 1, 33, 1, 34] => 0, [:else, 5, 1, 37, 1, 38] => 1}}
branches("x = 1\nunless x\n 2\nend\n") # => {[:unless, 0, 2, 0, 4, 3] => {[:else, 1, 2, 0, 4, 3] => 1, [:then, 2, 3, 1, 3, 2] => 0}}
branches("i = 0\ni += 1 while i < 3\nuntil i == 0\n  i -= 1\nend\n") # => {[:while, 0, 2, 0, 2, 18] => {[:body, 1, 2, 0, 2, 6] => 3}, [:until, 2, 3, 0, 5, 3] => {[:body, 3, 4, 2, 4, 8] => 3}}
branches("case 2\nwhen 1 then :a\nwhen 2, 3\n  :b\nend\n") # => {[:case, 0, 1, 0, 5, 3] => {[:when, 1, 2, 12, 2, 14] => 0, [:when, 2, 4, 2, 4, 4] => 1, [:else, 3, 1, 0, 5, 3] => 0}}
branches("case [1]\nin [a] then a\nelse\n  2\nend\n") # => {[:case, 0, 1, 0, 5, 3] => {[:in, 1, 2, 12, 2, 13] => 1, [:else, 2, 4, 2, 4, 3] => 0}}
branches("x = nil\nx&.a&.b(1) { }\n\"a\"&.size\n") # => {[:"&.", 0, 2, 0, 2, 4] => {[:then, 1, 2, 0, 2, 4] => 0, [:else, 2, 2, 0, 2, 4] => 1}, [:"&.", 3, 2, 0, 2, 10] => {[:then, 4, 2, 0, 2, 10] => 0, [:else, 5, 2, 0, 2, 10] => 1}, [:"&.", 6, 3, 0, 3, 9] => {[:then, 7, 3, 0, 3, 9] => 1, [:else, 8, 3, 0, 3, 9] => 0}}
branches("x = Struct.new(:a).new\nx&.a = 5\n") # => {[:"&.", 0, 2, 0, 2, 8] => {[:then, 1, 2, 0, 2, 8] => 1, [:else, 2, 2, 0, 2, 8] => 0}}
# A body of `ensure` is compiled more than once.
branches("def f(x)\n  yield\nensure\n  x ? 1 : 2\nend\nf(1) { }\nf(nil) { 1 }\nbegin; f(1) { raise }; rescue; end\n") # => {[:if, 0, 4, 2, 4, 11] => {[:then, 1, 4, 6, 4, 7] => 2, [:else, 2, 4, 10, 4, 11] => 1}}
# The outcome is known; what no part of a condition says does not count as known.
branches("if true then 1 else 2 end\n1 if :a || 2\n1 unless nil\n") # => {}
branches("puts if nil && x\n") # => {[:if, 0, 1, 0, 1, 16] => {[:then, 1, 1, 0, 1, 4] => 0, [:else, 2, 1, 0, 1, 16] => 1}}

# Counts begin anew, and stand still while nothing is measured.
path = "#{DIR}/later.rb"
File.write(path, "def f(x)\n  x ? 1 : 2\nend\n")
Coverage.setup(branches: true, lines: true)
load path
f(1)
Coverage.peek_result[path][:branches].values.map(&:values) # => [[0, 0]]
Coverage.resume
3.times { f(1) }
Coverage.result(stop: false, clear: true)[path] # => {lines: [0, 3, nil], branches: {[:if, 0, 2, 2, 2, 11] => {[:then, 1, 2, 6, 2, 7] => 3, [:else, 2, 2, 10, 2, 11] => 0}}}
Coverage.suspend
f(nil)
Coverage.resume
f(nil)
Coverage.result[path][:branches].values.map(&:values) # => [[0, 1]]

# Errors are marked as ever in code that counts.
File.write(path, "def g(x)\n  x ? x.nope(1) : 2\nend\n")
Coverage.start(branches: true)
load path
begin
  g(1)
rescue NoMethodError => e
  e.detailed_message(highlight: false).lines.last.strip # => "^^^^^"
end
Coverage.result.key?(path) # => true
