# Sources of bytes without an encoding are read, frozen or not, and stay as they are.
require "prism"
require "ripper"

text = "a = \"\xF5\" # \xE0\n".b
valid = "é = 1\n".b
[text, valid].each(&:freeze)
Ripper.lex(text).size # => 9
Ripper.tokenize(text).join == text # => true
Prism.lex(valid).value.size # => 5
Prism.parse(valid.dup.tap { $copy = it }).errors.size # => 0
$copy.encoding == Encoding::BINARY # => true
Prism.parse_lex(text).value[1].size > 3 # => true
