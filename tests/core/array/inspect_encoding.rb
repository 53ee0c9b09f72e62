# What is shown begins with the encoding of its first part; what the output's encoding does not have is escaped.
# flags: -EUTF-8
[1].inspect.encoding # => #<Encoding:US-ASCII>
[nil, "\u3042"].inspect.encoding # => #<Encoding:UTF-8>
["a"].inspect.encoding # => #<Encoding:UTF-8>
{ a: 1 }.inspect.encoding # => #<Encoding:US-ASCII>
nil.inspect.encoding # => #<Encoding:US-ASCII>
(1..2).inspect.encoding # => #<Encoding:US-ASCII>
shown = Object.new
def shown.inspect = "abc\u3042".encode("UTF-16LE")
[shown].inspect # => "[abc\\u3042]"
{ shown => 1 }.inspect # => "{abc\\u3042 => 1}"
def shown.inspect = "abc\n\u3042\x01".encode("EUC-JP")
[shown].inspect # => "[abc\\n\\x{A4A2}\\x01]"
def shown.inspect = "\u3042\u{1F600}".encode("UTF-32LE")
[shown].inspect # => "[\\u3042\\u{1F600}]"
