# A warning shows its pattern in one line.
require "stringio"
def warned
  before, $stderr = $stderr, StringIO.new
  verbose, $VERBOSE = $VERBOSE, true
  yield
  $stderr.string[/range: (.*)/m, 1]
ensure
  $stderr, $VERBOSE = before, verbose
end

warned { Regexp.new("[\n\n]") } # => "/[\\x0a\\x0a]/\n"
warned { Regexp.new("[aa]/ b\x01\\\n") } # => "/[aa]\\/ b\\x01\\\n/\n"
warned { Regexp.new("[aa]あ\\あ") } # => "/[aa]あ\\あ/\n"
