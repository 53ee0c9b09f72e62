# Bytes that are no characters, wherever they stand, are no reason to raise: Ripper goes on.
require "ripper"
$VERBOSE = nil

SOURCES = [
  "{\"\xE0\" => 1, \"\xE0\" => 2}", "# frozen_string_literal: \xE0\n1\n", "# fro\xE0en_string_literal: true\n",
  "case 1\nwhen \"\xE0\"\nwhen \"\xE0\"\nend", "foo.\xE0(1)", "\xE0 1", "def \xE0; end", "if \xE0\n end\n", "@\xE0 = 1",
  "$\xE0", "/\xE0(/", "\"\\u{\xE0}\"", "?\xE0", "%q(\xE0", "<<~\xE0\n a\n\xE0\n", "# warn_indent: \xE0\n if 1\nend\n",
  "#-*- a: \xE0; b-\xE0: 1 -*-\n", "a.b \xE0 do |\xE0| end", "undef \xE0", "alias \xE0 b", "BEGIN { \xE0 }", "1\xE0",
  "__END__\n\xE0", "=begin\xE0\n=end\n"
]
class Quiet < Ripper
  def warn(*) = nil
  def warning(*) = nil
  def on_magic_comment(*) = nil
end
raised = SOURCES.flat_map do |source|
  [*%i[lex tokenize sexp sexp_raw].map { |name| -> { Ripper.public_send(name, source) } },
   -> { Quiet.new(source).parse }].filter_map do |run|
    run.call
    nil
  rescue => error
    [source, error.message]
  end
end
raised # => []

Ripper.lex("# fro\xE0en_string_literal: true\nx\n").map { |_, event, text| [event, text.bytesize] } # => [[:on_comment, 30], [:on_ident, 1], [:on_nl, 1]]
values = []
Class.new(Ripper) { define_method(:on_magic_comment) { |*given| values << given } }
  .new("# frozen-string-literal: true\n").parse
values # => [["frozen_string_literal", "true"]]
