# Where Ripper tells what is not complete: at the end of the source, with its last token; what is in the way,
# where it stands.
require "ripper"
def places(source)
  lexer = Ripper::Lexer.new(source)
  lexer.scan
  lexer.errors.map { |error| [error.pos, error.event, error.tok] }
end
places("[1].map do |x|\n") # => [[[1, 14], :on_parse_error, "\n"]]
places("def f(a)\n  a * 2\n") # => [[[2, 7], :on_parse_error, "\n"]]
places("x = [1,\n") # => [[[1, 7], :on_parse_error, "\n"]]
places("->(x) {\n") # => [[[1, 7], :on_parse_error, "\n"]]
places("def foo = \n") # => [[[1, 10], :on_parse_error, "\n"]]
places("x = \n") # => [[[1, 4], :on_parse_error, "\n"]]
places("foo do\n  bar {\n") # => [[[2, 7], :on_parse_error, "\n"]]
places("a b c }") # => [[[1, 6], :on_parse_error, "}"]]
places("1_") # => [[[1, 0], :compile_error, "1_"]]
places("end") # => [[[1, 0], :on_parse_error, "end"]]

# What is in the way of a bracket that would end parameters is told where it stands,
# and is the only error of the grammar.
def messages(source) = Ripper::Lexer.new(source).tap(&:scan).errors.map(&:message)
places("def req(true) end") # => [[[1, 8], :on_parse_error, "true"]]
places("def req(1) end").first.first # => [1, 8]
places("def req(a b) end").first.first # => [1, 10]
messages("def req(true) end").first.include?("unexpected 'true'") # => true
