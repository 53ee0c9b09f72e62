# Parser events are told in the order in which CRuby's parser finds them, one token ahead where it has to look.
require "ripper"

class Told < Ripper
  attr_reader :events

  SCANNER_EVENTS.each { |event| define_method(:"on_#{event}") { |text| (@events ||= []) << "@#{event}"; text } }
  PARSER_EVENTS.each do |event|
    define_method(:"on_#{event}") { |*values| (@events ||= []) << event.name; values.first || event }
  end
end

class Placed < Ripper
  attr_reader :places

  PARSER_EVENTS.each do |event|
    define_method(:"on_#{event}") { |*| (@places ||= []) << "#{event} #{lineno}:#{column}" }
  end
end

def told(source) = Told.new(source).tap(&:parse).events.join(" ")
def placed(source) = Placed.new(source).tap(&:parse).places.join(", ")

told("a") # => "@ident vcall stmts_new stmts_add program"
told("a\n\nb\n") # => "@ident @nl vcall stmts_new stmts_add @ignored_nl @ident @nl vcall stmts_add program"
told("foo(1, 2)") # => "@ident @lparen @int @comma args_new args_add @sp @int @rparen args_add args_add_block arg_paren fcall method_add_arg stmts_new stmts_add program"
told("foo 1 do end") # => "@ident @sp @int @sp @kw args_new args_add args_add_block command @sp @kw stmts_new void_stmt stmts_add bodystmt do_block method_add_block stmts_new stmts_add program"
told("a.b { }") # => "@ident @period vcall @ident @sp @lbrace call @sp @rbrace stmts_new void_stmt stmts_add brace_block method_add_block stmts_new stmts_add program"
told("x { |a, (b, *), *c, &d| }") # => "@ident @sp @lbrace @sp @op @ident @comma @sp @lparen @ident mlhs_new mlhs_add @comma @sp @op @rparen mlhs_add_star mlhs_paren @comma @sp @op @ident rest_param @comma @sp @op @ident blockarg params @op block_var @sp @rbrace stmts_new void_stmt stmts_add brace_block fcall args_new method_add_arg method_add_block stmts_new stmts_add program"
told("def a; end") # => "@kw @sp @ident @semicolon params @sp @kw stmts_new void_stmt stmts_add bodystmt def stmts_new stmts_add program"
told("def a(b) = c") # => "@kw @sp @ident @lparen @ident @rparen params paren @sp @op @sp @ident vcall bodystmt def stmts_new stmts_add program"
told("if a; elsif b; else; c; end") # => "@kw @sp @ident @semicolon vcall @sp @kw stmts_new void_stmt stmts_add @sp @ident @semicolon vcall @sp @kw stmts_new void_stmt stmts_add @semicolon stmts_new void_stmt stmts_add @sp @ident @semicolon vcall stmts_add @sp @kw else elsif if stmts_new stmts_add program"
told("case a\nin [b, *] then c\nend") # => "@kw @sp @ident @nl vcall @kw @sp @lbracket @ident var_field @comma @sp @op @rbracket var_field aryptn @sp @kw @sp @ident @nl vcall stmts_new stmts_add @kw in case stmts_new stmts_add program"
told("a, *b, c = *d") # => "@ident @comma var_field mlhs_new mlhs_add @sp @op @ident @comma var_field @sp @ident @sp @op var_field mlhs_new mlhs_add mlhs_add_star mlhs_add_post @sp @op @ident vcall mrhs_new mrhs_add_star massign stmts_new stmts_add program"
told("%W[a \#{b}]") # => "@words_beg @tstring_content words_new word_new word_add @words_sep @embexpr_beg words_add @ident @embexpr_end vcall stmts_new stmts_add string_embexpr word_new word_add @tstring_end words_add array stmts_new stmts_add program"
told("a[1] ||= 2") # => "@ident @lbracket vcall @int @rbracket args_new args_add args_add_block @sp @op @sp @int aref_field opassign stmts_new stmts_add program"
told("<<A\n b\nA\n") # => "@heredoc_beg string_content @tstring_content @heredoc_end string_add string_literal @nl stmts_new stmts_add program"
told("<<~A\n b\nA\n") # => "@heredoc_beg string_content @tstring_content string_add @heredoc_end heredoc_dedent string_literal @nl stmts_new stmts_add program"
told("p(a: 1, **b)") # => "@ident @lparen @label @sp @int @comma assoc_new @sp @op @ident @rparen vcall assoc_splat args_new bare_assoc_hash args_add args_add_block arg_paren fcall method_add_arg stmts_new stmts_add program"
told("a # b\nc") # => "@ident @sp @comment vcall stmts_new stmts_add @ident vcall stmts_add program"
told("a\n# b\n# c\nd") # => "@ident @comment @comment @nl vcall stmts_new stmts_add @ident vcall stmts_add program"
told("a\n# b\n  .c") # => "@ident @comment @ignored_nl @sp @period vcall @ident call stmts_new stmts_add program"

# A handler sees the end of the last token.
placed("foo(1)\n") # => "args_new 1:6, args_add 1:6, args_add_block 1:6, arg_paren 1:6, fcall 1:6, method_add_arg 1:6, stmts_new 1:7, stmts_add 1:7, program 1:7"
placed("class A\n  b\nend") # => "const_ref 1:8, stmts_new 1:8, void_stmt 1:8, stmts_add 1:8, vcall 2:4, stmts_add 2:4, bodystmt 3:3, class 3:3, stmts_new 3:3, stmts_add 3:3, program 3:3"
placed("x <<A, 1\n b\nA\n") # => "string_content 1:9, string_add 1:5, string_literal 1:5, args_new 1:6, args_add 1:6, args_add 1:9, args_add_block 1:9, command 1:9, stmts_new 1:9, stmts_add 1:9, program 1:9"
placed("x <<A\n b\nA\ny\n") # => "string_content 1:6, string_add 1:5, string_literal 1:5, args_new 3:6, args_add 3:6, args_add_block 3:6, command 3:6, stmts_new 3:6, stmts_add 3:6, vcall 4:2, stmts_add 4:2, program 4:2"

# The semicolon behind a superclass ends it, and is no empty statement;
# a variable in an alternative pattern is an error only of what compiles it.
Ripper.sexp("class A < B; c; end")[1][0][3][1] # => [[:vcall, [:@ident, "c", [1, 13]]]]
Ripper.sexp("not ()") # => [:program, [[:unary, :not, [:paren, [[:void_stmt]]]]]]
Ripper.sexp("case a\nin b | c then d\nend")[1][0][2][1] # => [:binary, [:var_field, [:@ident, "b", [2, 3]]], :|, [:var_field, [:@ident, "c", [2, 7]]]]

class Magic < Ripper
  attr_reader :found
  def on_magic_comment(key, value) = (@found ||= []) << [key, value, lineno, column]
end
Magic.new("# frozen-string-literal: true\n# typed: false\n").tap(&:parse).found # => [["frozen_string_literal", "true", 1, 25], ["typed", "false", 2, 0]]
Magic.new("# :nodoc:\n").tap(&:parse).found # => nil
