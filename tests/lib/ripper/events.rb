# needs: 3.4
require "ripper"
require "stringio"

Ripper.sexp("def hello(world) = \"Hello, \#{world}!\"") # => [:program, [[:def, [:@ident, "hello", [1, 4]], [:paren, [:params, [[:@ident, "world", [1, 10]]], nil, nil, nil, nil, nil, nil]], [:bodystmt, [:string_literal, [:string_content, [:@tstring_content, "Hello, ", [1, 20]], [:string_embexpr, [[:var_ref, [:@ident, "world", [1, 29]]]]], [:@tstring_content, "!", [1, 35]]]], nil, nil, nil]]]]
Ripper.sexp("a.b(1, *c, d: 2, &e) { |x| x }") # => nil
Ripper.sexp("case a\nwhen 1 then b\nin\nend") # => nil
Ripper.sexp("case [1, 2]\nin [Integer => x, *] if x > 1\n  x\nin {y:}\n  y\nelse\n  nil\nend") # => [:program, [[:case, [:array, [[:@int, "1", [1, 6]], [:@int, "2", [1, 9]]]], [:in, [:if_mod, [:binary, [:var_ref, [:@ident, "x", [2, 24]]], :>, [:@int, "1", [2, 28]]], [:aryptn, nil, [[:binary, [:var_ref, [:@const, "Integer", [2, 4]]], :"=>", [:var_field, [:@ident, "x", [2, 15]]]]], [:var_field, nil], nil]], [[:var_ref, [:@ident, "x", [3, 2]]]], [:in, [:hshptn, nil, [[[:@label, "y:", [4, 4]], nil]], nil], [[:var_ref, [:@ident, "y", [5, 2]]]], [:else, [[:var_ref, [:@kw, "nil", [7, 2]]]]]]]]]]
Ripper.sexp("begin; a; rescue B => e; c; ensure; d; end") # => [:program, [[:begin, [:bodystmt, [[:void_stmt], [:vcall, [:@ident, "a", [1, 7]]]], [:rescue, [[:var_ref, [:@const, "B", [1, 17]]]], [:var_field, [:@ident, "e", [1, 22]]], [[:vcall, [:@ident, "c", [1, 25]]]], nil], nil, [:ensure, [[:void_stmt], [:vcall, [:@ident, "d", [1, 36]]]]]]]]]
Ripper.sexp("x <<~A\n  \#{a}\n   b\nA\n") # => [:program, [[:command, [:@ident, "x", [1, 0]], [:args_add_block, [[:string_literal, [:string_content, [:@tstring_content, "", [2, 2]], [:string_embexpr, [[:vcall, [:@ident, "a", [2, 4]]]]], [:@tstring_content, "\n", [2, 6]], [:@tstring_content, " b\n", [3, 2]]]]], false]]]]
Ripper.sexp_raw("a b, c") # => [:program, [:stmts_add, [:stmts_new], [:command, [:@ident, "a", [1, 0]], [:args_add_block, [:args_add, [:args_add, [:args_new], [:vcall, [:@ident, "b", [1, 2]]]], [:vcall, [:@ident, "c", [1, 5]]]], false]]]]
Ripper.sexp("foo(") # => nil
Ripper.sexp("1 +", raise_errors: true) # raises SyntaxError
Ripper.sexp(StringIO.new("1\n2")) # => [:program, [[:@int, "1", [1, 0]], [:@int, "2", [2, 0]]]]

# Handlers, in the order of the source; what they give reaches the handlers of what contains it.
class Names < Ripper
  attr_reader :seen
  def initialize(...)
    super
    @seen = []
  end

  SCANNER_EVENTS.each { |event| define_method(:"on_#{event}") { |text| @seen << [event, lineno, column, text]; text } }
  def on_def(name, _parameters, _body) = @seen << [:def, name]
  def on_command(name, arguments) = @seen << [:command, name, arguments]
  def on_args_add(list, one) = [*list, one]
  def on_args_add_block(list, _block) = list
end
names = Names.new("def a\n  p 1, 2\nend # b\n", "names.rb", 10)
[names.lineno, names.column, names.filename, names.error?] # => [nil, nil, "names.rb", false]
names.parse
names.seen.reject { it.first == :nl } # => [[:kw, 10, 0, "def"], [:sp, 10, 3, " "], [:ident, 10, 4, "a"], [:sp, 11, 0, "  "], [:ident, 11, 2, "p"], [:sp, 11, 3, " "], [:int, 11, 4, "1"], [:comma, 11, 5, ","], [:sp, 11, 6, " "], [:int, 11, 7, "2"], [:command, "p", ["1", "2"]], [:kw, 12, 0, "end"], [:def, "a"], [:sp, 12, 3, " "], [:comment, 12, 4, "# b\n"]]
names.lineno # => nil

parser = Ripper.new("# coding: iso-8859-15\n__END__")
parser.parse
[parser.encoding, parser.end_seen?, parser.error?] # => [#<Encoding:ISO-8859-15>, true, false]
parser = Ripper.new("foo(")
parser.parse
parser.error? # => true

class Troubles < Ripper
  attr_reader :told
  %i[on_parse_error on_assign_error on_alias_error on_class_name_error on_param_error compile_error].each do |name|
    define_method(name) { |message, *| (@told ||= []) << [name, message] }
  end
  def self.of(source) = new(source).tap(&:parse).told
end
Troubles.of("def a; B = 1; end") # => [[:on_assign_error, "dynamic constant assignment"]]
Troubles.of("class b; end") # => [[:on_class_name_error, "class/module name must be CONSTANT"]]
Troubles.of("def a(@b); end") # => [[:on_param_error, "formal argument cannot be an instance variable"]]
Troubles.of("alias $a $1") # => [[:on_alias_error, "can't make alias for the number variables"]]
Troubles.of("\"a") # => [[:compile_error, "unterminated string meets end of file"]]

Ripper::PARSER_EVENT_TABLE.size # => 138
Ripper::SCANNER_EVENTS.include?(:ident) # => true
[Ripper.dedent_string(+"  \thello", 8), Ripper.dedent_string(+"  a", 1)] # => [3, 1]
Ripper.new(1) # raises TypeError: no implicit conversion of Integer into String
Ripper.new("a".encode("UTF-16LE")) # raises ArgumentError
