# A file that is loaded can switch tracing on, as a debugger does:
# statements behind the call that loaded it are traced, also those that call nothing.
require "tempfile"
def file(text) = Tempfile.create(["traced", ".rb"]).then { |io| io.write(text); io.close; io.path }
$seen = []
$point = TracePoint.new(:line) { |event| $seen << event.lineno if event.path == __FILE__ }
lib = file("$point.enable")

first = __LINE__ + 1
require lib
one = 1
two = one
$point.disable
$seen.map { |line| line - first } # => [1, 2, 3]

$seen.clear
second = __LINE__ + 1
load lib
one = 1
$point.disable
$seen.map { |line| line - second } # => [1, 2]

$seen.clear
third = __LINE__ + 1
x = require_relative(file("$point.enable"))
one = 1
$point.disable
[x, $seen.map { |line| line - third }] # => [true, [1, 2]]

def from_method(lib)
  $seen.clear
  line = __LINE__ + 1
  x = load(lib)
  y = 1
  z = 2
  $point.disable
  [x, $seen.map { |at| at - line }]
end
from_method(lib) # => [true, [1, 2, 3]]
30.times { from_method(lib) }
from_method(lib) # => [true, [1, 2, 3]]
File.unlink(lib)
