# argv: one two
# stdin: first line
# stdin: second line
ARGV # => ["one", "two"]
STDIN.gets # => "first line\n"
$stdin.read # => "second line\n"
STDIN.gets # => nil
