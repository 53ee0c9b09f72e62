# needs: 3.4
# What Ripper tells about sources with errors, where its parser goes on behind them.
require "ripper"

Ripper.lex("\"\nhello\\x w\"").map { |place, event, text,| [place, event, text] } # => [[[1, 0], :on_tstring_beg, "\""], [[1, 1], :on_tstring_content, "\nhello"], [[2, 5], :on_tstring_content, "\\x"], [[2, 7], :on_tstring_content, " w"], [[2, 9], :on_tstring_end, "\""]]
Ripper.lex("\"\\M-x\\M-\\xz\\ux\\u{zz}\"").map { |_, event, text,| [event, text] } # => [[:on_tstring_beg, "\""], [:on_tstring_content, "\\M-x\\M-"], [:on_tstring_content, "\\x"], [:on_tstring_content, "z"], [:on_tstring_content, "\\u"], [:on_tstring_content, "x\\u{"], [:on_tstring_content, "zz}"], [:on_tstring_end, "\""]]
Ripper.lex("'\\x' %w[\\x]").map { |_, event, text,| [event, text] } # => [[:on_tstring_beg, "'"], [:on_tstring_content, "\\x"], [:on_tstring_end, "'"], [:on_sp, " "], [:on_op, "%"], [:on_ident, "w"], [:on_lbracket, "["], [:on_CHAR, "\\"], [:on_ident, "x"], [:on_rbracket, "]"]]
Ripper.lex("?\\").map { |_, event, text,| [event, text] } # => [[:on_tstring_content, "?\\"]]
Ripper.lex("f(a: b }").last # => [[1, 7], :on_embexpr_end, "}", ARG]
Ripper.lex("a { b } }").last # => [[1, 8], :on_embexpr_end, "}", END]
Ripper.lex("a \\ b") # => [[[1, 0], :on_ident, "a", CMDARG], [[1, 1], :on_sp, " ", CMDARG], [[1, 2], :on_sp, "\\ ", CMDARG], [[1, 4], :on_ident, "b", ARG]]
Ripper.lex("\uFEFF  foo\nb").map { |place, _, text,| [place, text] } # => [[[1, 0], "  "], [[1, 2], "foo"], [[1, 5], "\n"], [[2, 0], "b"]]
Ripper.lex("<<-A\n\#{<<~B}\n    2\n  B\nA\n").map { |place, event, text,| [place, event, text] } # => [[[1, 0], :on_heredoc_beg, "<<-A"], [[1, 4], :on_nl, "\n"], [[2, 0], :on_embexpr_beg, "\#{"], [[2, 2], :on_heredoc_beg, "<<~B"], [[2, 6], :on_embexpr_end, "}"], [[2, 7], :on_tstring_content, "\n"], [[3, 0], :on_ignored_sp, "    "], [[3, 4], :on_tstring_content, "2\n"], [[4, 0], :on_heredoc_end, "  B\n"], [[5, 0], :on_heredoc_end, "A\n"]]
Ripper.lex("x <<~A\n  a\#{:\"b\"}\n   c\nA\n").map { |_, event, text,| [event, text] } # => [[:on_ident, "x"], [:on_sp, " "], [:on_heredoc_beg, "<<~A"], [:on_nl, "\n"], [:on_ignored_sp, "  "], [:on_tstring_content, "a"], [:on_embexpr_beg, "\#{"], [:on_symbeg, ":\""], [:on_tstring_content, "b"], [:on_tstring_end, "\""], [:on_embexpr_end, "}"], [:on_tstring_content, "\n"], [:on_ignored_sp, "  "], [:on_tstring_content, " c\n"], [:on_heredoc_end, "A\n"]]
Ripper.lex("x <<~A\n  a\#{\"q\nr\n\"}\n   c\n  d\nA\n").map { |_, event, text,| [event, text] } # => [[:on_ident, "x"], [:on_sp, " "], [:on_heredoc_beg, "<<~A"], [:on_nl, "\n"], [:on_ignored_sp, "  "], [:on_tstring_content, "a"], [:on_embexpr_beg, "\#{"], [:on_tstring_beg, "\""], [:on_tstring_content, "q\nr\n"], [:on_tstring_end, "\""], [:on_embexpr_end, "}"], [:on_tstring_content, "\n"], [:on_ignored_sp, "  "], [:on_tstring_content, " c\n"], [:on_ignored_sp, "  "], [:on_tstring_content, "d\n"], [:on_heredoc_end, "A\n"]]
Ripper.lex("x <<~A\n  a\n\#{1}b\n   c\n  d\nA\n").map { |_, event, text,| [event, text] } # => [[:on_ident, "x"], [:on_sp, " "], [:on_heredoc_beg, "<<~A"], [:on_nl, "\n"], [:on_tstring_content, "  a\n"], [:on_embexpr_beg, "\#{"], [:on_int, "1"], [:on_embexpr_end, "}"], [:on_tstring_content, "b\n   c\n  d\n"], [:on_heredoc_end, "A\n"]]
Ripper.tokenize("def f; (x)::A =") # => ["def", " ", "f", ";", " ", "(", "x", ")", "::", "A", " ", "="]
Ripper::Lexer.new("<<A.upcase\n").scan.map(&:to_a) # => [[[1, 0], :on_heredoc_beg, "<<A", BEG], [[1, 2], :compile_error, "A", BEG, "can't find string \"A\" anywhere before EOF"], [[1, 3], :on_period, ".", DOT], [[1, 4], :on_ident, "upcase", ARG], [[1, 10], :on_nl, "\n", BEG]]

class Told < Ripper
  attr_reader :told
  def initialize(...)
    super
    @told = []
  end
  %i[on_parse_error on_assign_error on_alias_error on_class_name_error on_param_error compile_error].each do |name|
    define_method(name) do |message, value = nil|
      @told << [name, message, value, token]
      [:error, value]
    end
  end
  def on_var_field(name) = [:var_field, name]
  def on_const_path_field(scope, name) = [:const_path_field, scope, name]
  def on_var_ref(name) = [:ref, name]
  def on_assign(target, value) = [:assign, target, value]
  def on_opassign(target, operator, value) = [:opassign, target, operator, value]
  def on_stmts_new = []
  def on_stmts_add(list, one) = [*list, one]
  def on_program(list) = list
  def on_bodystmt(body, *) = body
  def on_def(name, parameters, body) = [:def, name, body]
  def self.of(source)
    told = new(source)
    value = told.parse
    [value, told.told.map { |name, _, value,| [name, value] }]
  end
end
Told.of("self = 1") # => [[[:assign, [:error, [:var_field, "self"]], "1"]], [[:on_assign_error, [:var_field, "self"]]]]
Told.of("$& = 1") # => [[[:assign, [:error, [:var_field, "$&"]], "1"]], [[:on_assign_error, [:var_field, "$&"]]]]
Told.of("$& += 1") # => [[[:error, [:opassign, [:var_field, "$&"], "+=", "1"]]], [[:on_assign_error, [:opassign, [:var_field, "$&"], "+=", "1"]]]]
Told.of("def m\n X = 1\nend") # => [[[:def, "m", [[:assign, [:error, [:var_field, "X"]], "1"]]]], [[:on_assign_error, [:var_field, "X"]]]]
Told.of("def m\n self::X = 1\nend") # => [[[:def, "m", [[:assign, [:error, [:const_path_field, [:ref, "self"], "X"]], "1"]]]], [[:on_assign_error, [:const_path_field, [:ref, "self"], "X"]]]]
Told.of("alias $a $1") # => [[[:error, "$1"]], [[:on_alias_error, "$1"]]]
Told.of("def a(b?:) end")[1] # => [[:on_param_error, "b?:"]]
Told.new("\"\\xz\"").tap(&:parse).told # => [[:on_parse_error, "invalid hex escape", nil, "\\x"]]
Told.new("\ea").tap(&:parse).told # => [[:compile_error, "Invalid char '\\x1B' in expression", nil, "\e"]]

Ripper.sexp("a::C {}") # => [:program, [[:method_add_block, [:command_call, [:vcall, [:@ident, "a", [1, 0]]], [:@op, "::", [1, 1]], [:@const, "C", [1, 3]], nil], [:brace_block, nil, [[:void_stmt]]]]]]
Ripper.sexp("a::C() {}") # => [:program, [[:method_add_block, [:method_add_arg, [:call, [:vcall, [:@ident, "a", [1, 0]]], [:@op, "::", [1, 1]], [:@const, "C", [1, 3]]], [:arg_paren, nil]], [:brace_block, nil, [[:void_stmt]]]]]]
