# needs: 4.0
# stdin: x = 5
# stdin: _ + 1
# stdin: def f =
# stdin:   :ok
# stdin: f
# stdin: [1, 2].map { |v|
# stdin:   v * 2
# stdin: }
# stdin: "a
# stdin: b"
# stdin: 1)
# stdin: raise ArgumentError, "boom"
# stdin: x
# stdin: exit
# stdin: :never
require "irb"
$stdout.define_singleton_method(:puts) { |*lines| super(*lines.map { |line| line.to_s.lines.first.to_s.chomp }) }
IRB.start(nil, argv: [])
puts "done"
# prints: => 5
# prints: => 6
# prints: => :f
# prints: => :ok
# prints: => [2, 4]
# prints: => "a\nb"
# prints: (irb):11: syntax errors found (SyntaxError)
# prints: (irb):12:in '<main>': boom (ArgumentError)
# prints: => 5
# prints: done
