# needs: 4.0
require "prism"

def tokens(source) = Prism.lex(source).value.map { |token, _| [token.type, token.value] }

# The newline belongs to a comment, not to a list of words, whose end is no token.
tokens("%w[a b] # c\n") # => [[:PERCENT_LOWER_W, "%w["], [:STRING_CONTENT, "a"], [:WORDS_SEP, " "], [:STRING_CONTENT, "b"], [:STRING_END, "]"], [:COMMENT, "# c\n"], [:EOF, "\n"]]
tokens("a {}") # => [[:IDENTIFIER, "a"], [:BRACE_LEFT, "{"], [:BRACE_RIGHT, "}"], [:EOF, ""]]
tokens("`ls`") # => [[:BACKTICK, "`"], [:STRING_CONTENT, "ls"], [:STRING_END, "`"], [:EOF, ""]]
tokens("a do end").map(&:first) # => [:IDENTIFIER, :KEYWORD_DO, :KEYWORD_END, :EOF]
tokens("x in {a: 1}\n..2").map(&:first) # => [:IDENTIFIER, :KEYWORD_IN, :BRACE_LEFT, :LABEL, :INTEGER, :BRACE_RIGHT, :IGNORED_NEWLINE, :UDOT_DOT, :INTEGER, :EOF]
Prism.lex("a = b\n").value.map(&:last) # => [32, 1, 16, 1, 1]
Prism.lex("é = 1").value.first.first.value # => "é"

node, list = Prism.parse_lex("a # b\n").value
[node.class, list.size] # => [Prism::ProgramNode, 3]
Prism.parse_comments("a # b\n# c\n=begin\nd\n=end\n").map { [it.class, it.location.start_line] } # => [[Prism::InlineComment, 1], [Prism::InlineComment, 2], [Prism::EmbDocComment, 3]]
