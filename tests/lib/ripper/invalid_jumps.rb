# Jumps out of nothing are errors of the parser, which goes on behind them.
require "ripper"
class Told < Ripper
  def self.of(source) = new(source).tap(&:parse).told
  def told = (@told ||= [])
  def on_parse_error(message) = told << [message, lineno, column]
  def compile_error(message) = told << message
end

Told.of("foo\nbar(break)\n x\nyield 1\nclass A; return; end") # => [["void value expression", 2, 4], ["Invalid break", 2, 4], ["Invalid yield", 4, 0], ["Invalid return in class/module body", 5, 9]]
Told.of("next\n") # => [["Invalid next", 1, 0]]
Told.of("1\nredo if x\n") # => [["Invalid redo", 2, 0]]
Told.of("class A; yield; end") # => [["Invalid yield", 1, 9]]
Told.of("x { break; next; redo }; -> { next }; while a; redo; end") # => []
Ripper.sexp("yield") # => nil
Ripper.sexp_raw("class A; return; end") # => nil
Ripper.sexp("while a; def x; break; end; end").nil? # => false
Ripper.sexp("def x; break; end") # => nil
Ripper.tokenize("break; next") # => ["break", ";", " ", "next"]
Ripper.lex("yield").map { it[2] } # => ["yield"]
parser = Ripper::SexpBuilder.new("x = (break)")
[parser.parse, parser.error?] # => [[:program, [:stmts_add, [:stmts_new], [:assign, [:var_field, [:@ident, "x", [1, 0]]], [:paren, [:stmts_add, [:stmts_new], [:break, [:args_new]]]]]]], true]
