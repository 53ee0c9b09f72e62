# needs: 3.4
require "ripper"

Ripper.lex("a = 1 # b\n") # => [[[1, 0], :on_ident, "a", CMDARG], [[1, 1], :on_sp, " ", CMDARG], [[1, 2], :on_op, "=", BEG], [[1, 3], :on_sp, " ", BEG], [[1, 4], :on_int, "1", END], [[1, 5], :on_sp, " ", END], [[1, 6], :on_comment, "# b\n", END]]
Ripper.tokenize("1;def m(arg)end") # => ["1", ";", "def", " ", "m", "(", "arg", ")", "end"]
Ripper.lex("%w[a\n  b]\n") # => [[[1, 0], :on_qwords_beg, "%w[", BEG], [[1, 3], :on_tstring_content, "a", BEG], [[1, 4], :on_words_sep, "\n", BEG], [[2, 0], :on_words_sep, "  ", BEG], [[2, 2], :on_tstring_content, "b", BEG], [[2, 3], :on_tstring_end, "]", END], [[2, 4], :on_nl, "\n", BEG]]
Ripper.lex("a \\\n  b\n").map { |_, event, text, state| [event, text, state.to_s] } # => [[:on_ident, "a", "CMDARG"], [:on_sp, " ", "CMDARG"], [:on_sp, "\\\n", "CMDARG"], [:on_sp, "  ", "CMDARG"], [:on_ident, "b", "ARG"], [:on_nl, "\n", "BEG"]]

# A heredoc whose indentation is taken away, in front of the rest of its line.
Ripper.lex("m(<<~A, 1)\n  b \#{c}\n    d\n\n  A\nm\n").map { it[..2] } # => [[[1, 0], :on_ident, "m"], [[1, 1], :on_lparen, "("], [[1, 2], :on_heredoc_beg, "<<~A"], [[1, 6], :on_comma, ","], [[1, 7], :on_sp, " "], [[1, 8], :on_int, "1"], [[1, 9], :on_rparen, ")"], [[1, 10], :on_nl, "\n"], [[2, 0], :on_ignored_sp, "  "], [[2, 2], :on_tstring_content, "b "], [[2, 4], :on_embexpr_beg, "\#{"], [[2, 6], :on_ident, "c"], [[2, 7], :on_embexpr_end, "}"], [[2, 8], :on_tstring_content, "\n"], [[3, 0], :on_ignored_sp, "  "], [[3, 2], :on_tstring_content, "  d\n"], [[4, 0], :on_tstring_content, "\n"], [[5, 0], :on_heredoc_end, "  A\n"], [[6, 0], :on_ident, "m"], [[6, 1], :on_nl, "\n"]]
Ripper.lex("<<A + <<'B'\na\nA\n\#{b}\nB\n").map { it[..2] } # => [[[1, 0], :on_heredoc_beg, "<<A"], [[1, 3], :on_sp, " "], [[1, 4], :on_op, "+"], [[1, 5], :on_sp, " "], [[1, 6], :on_heredoc_beg, "<<'B'"], [[1, 11], :on_nl, "\n"], [[2, 0], :on_tstring_content, "a\n"], [[3, 0], :on_heredoc_end, "A\n"], [[4, 0], :on_tstring_content, "\#{b}\n"], [[5, 0], :on_heredoc_end, "B\n"]]
Ripper.lex("x <<~A\n  \#{a}\n   b\nA\n").map { it[1] } # => [:on_ident, :on_sp, :on_heredoc_beg, :on_nl, :on_ignored_sp, :on_embexpr_beg, :on_ident, :on_embexpr_end, :on_tstring_content, :on_ignored_sp, :on_tstring_content, :on_heredoc_end]

# Comments behind a line have the state that it ended with, symbols and definitions that which follows.
Ripper.lex("a\n# b\n\nc\n").map { it.last.to_s } # => ["CMDARG", "BEG", "CMDARG", "BEG", "CMDARG", "BEG"]
Ripper.lex("[:a , :b]").map { it.last.to_s } # => ["BEG|LABEL", "FNAME", "ENDFN", "END", "BEG|LABEL", "BEG|LABEL", "FNAME", "ENDFN", "END"]
Ripper.lex("def a(b) # c\nend").map { it.last.to_s } # => ["FNAME", "FNAME", "ENDFN", "BEG|LABEL", "ARG", "ENDFN", "BEG", "BEG", "END"]
Ripper.lex("/a/ =~ b").map { it[1..] } # => [[:on_regexp_beg, "/", BEG], [:on_tstring_content, "a", BEG], [:on_regexp_end, "/", BEG], [:on_sp, " ", END], [:on_op, "=~", BEG], [:on_sp, " ", BEG], [:on_ident, "b", ARG]]
Ripper.lex("\"a\#{b}c\"").map { it[1..2] } # => [[:on_tstring_beg, "\""], [:on_tstring_content, "a"], [:on_embexpr_beg, "\#{"], [:on_ident, "b"], [:on_embexpr_end, "}"], [:on_tstring_content, "c"], [:on_tstring_end, "\""]]
Ripper.lex("=begin\na\n=end\n__END__\nb\n").map { it[1..2] } # => [[:on_embdoc_beg, "=begin\n"], [:on_embdoc, "a\n"], [:on_embdoc_end, "=end\n"], [:on___end__, "__END__\n"]]
Ripper.lex("a\0b").map { it[1..2] } # => [[:on_ident, "a"]]

# Errors.
Ripper.lex("def foo").map { it[2] } # => ["def", " ", "foo"]
Ripper.lex("1 +", raise_errors: true) # raises SyntaxError
Ripper::Lexer.new("alias $x $1").scan.map(&:event).grep(/error/) # => [:on_alias_error]

class Upcase < Ripper::Filter
  def on_ident(text, data) = data << text.upcase
  def on_default(_event, text, data) = data << text
end
Upcase.new("def a(b) = b # c\n").parse(+"") # => "def A(B) = B # c\n"
Ripper.slice("a; x = {b: 1}; c", "lbrace .* rbrace") # => "{b: 1}"
Ripper.lex_state_name(Ripper::EXPR_BEG | Ripper::EXPR_LABEL) # => "BEG|LABEL"
