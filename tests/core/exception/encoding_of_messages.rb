# The text about an exception has the encoding of its message, and is written like any other.
require "rbconfig"
error = RuntimeError.new("\x82\xA0".dup.force_encoding("cp932"))
error.full_message(highlight: false).encoding # => #<Encoding:Windows-31J>
program = '$stderr = $stdout; raise "\x82\xA0".dup.force_encoding("cp932")'
IO.popen([RbConfig.ruby, "--disable=gems", "-Eutf-8:cp932", "-e", program], &:read).force_encoding("utf-8") # => "-e:1:in '<main>': あ (RuntimeError)\n"
