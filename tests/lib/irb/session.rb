# needs: 4.0
# flags: -W0
# The real irb, without a terminal: it writes what it reads, and what that gives.
# stdin: x = 5
# stdin: [1, 2].map { |v|
# stdin:   v * 2
# stdin: }
# stdin: class Foo; def bar = 42; end
# stdin: show_source Foo#bar
# stdin: ls Foo
# stdin: 1)
# stdin: raise ArgumentError, "boom"
# stdin: cd "abc"
# stdin: upcase
# stdin: exit
# stdin: _
# stdin: exit
# stdin: :never
ENV["IRBRC"] = File::NULL
require "irb"
require "stringio"
IRB.setup(nil, argv: ["-f", "--noprompt", "--nocolorize"])
output = StringIO.new
$stdout = $stderr = output
begin
  IRB::Irb.new.run
rescue SystemExit
end
$stdout = STDOUT
$stderr = STDERR
text = output.string
text.include?("5\n") # => true
text.include?("[2, 4]") # => true
text.include?("From: (irb):5") # => true
text.include?("Foo#methods: bar") # => true
text.match?(/syntax errors? found/) # => true
text[/boom \(ArgumentError\)/] # => "boom (ArgumentError)"
text.include?("\"ABC\"") # => true
