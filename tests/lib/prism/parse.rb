# needs: 4.0
require "prism"

Prism::BACKEND # => :CEXT
Prism::VERSION # => "1.7.0"

result = Prism.parse("# hi\nfoo.bar(1, :a) { |x| x + 1 }\n", filepath: "a.rb", line: 10)
result.success? # => true
call = result.value.statements.body.first
[call.class, call.name, call.receiver.name, call.arguments.arguments.map(&:class)] # => [Prism::CallNode, :bar, :foo, [Prism::IntegerNode, Prism::SymbolNode]]
call.location.start_line # => 11
call.block.locals # => [:x]
call.arguments.arguments.last.value_loc.slice # => "a"
result.comments.map { [it.class, it.slice, it.location.start_line] } # => [[Prism::InlineComment, "# hi", 10]]

# Definitions, numbers, strings.
definition = Prism.parse("def a(b = 2**70, *c, d:, **e, &f) = 1.5").value.statements.body.first
[definition.name, definition.locals, definition.body.body.first.value] # => [:a, [:b, :c, :d, :e, :f], 1.5]
Prism.parse_lex("0xffff_ffff_ffff_ffff").value.first.statements.body.first.value # => 18446744073709551615
Prism.parse("-12345678901234567890").value.statements.body.first.value # => -12345678901234567890
string = Prism.parse('"a\u00e9"').value.statements.body.first
[string.unescaped, string.unescaped.encoding] # => ["aé", #<Encoding:UTF-8>]
Prism.parse("# encoding: euc-jp\n'a'").value.statements.body.first.unescaped.encoding # => #<Encoding:EUC-JP>

# Errors and warnings.
broken = Prism.parse("foo(")
[broken.success?, broken.errors.map(&:type)] # => [false, [:argument_term_paren]]
broken.errors.first.location.start_offset # => 4
Prism.parse("if a = 1; end").warnings.map { [it.type, it.level] } # => [[:equal_in_conditional, :default]]
Prism.parse("alias $a b").value.statements.body.first.old_name.class # => Prism::SymbolNode
Prism.parse("a.b = ").value.statements.body.first.arguments.arguments.first.class # => Prism::MissingNode
Prism.parse_success?("1 + 1") # => true
Prism.parse_failure?("1 +") # => true

# Options.
Prism.parse("foo", scopes: [[:foo]]).value.statements.body.first.class # => Prism::LocalVariableReadNode
Prism.parse("def m = bar(...)", scopes: [Prism.scope(locals: [], forwarding: [:"..."])]).errors.size # => 1
Prism.parse("it", version: "3.3.0").success? # => true
Prism.parse("'a'", frozen_string_literal: true).value.statements.body.first.frozen? # => true
Prism.parse("1", freeze: true).value.frozen? # => true
Prism.parse("1", version: "2.7") # raises ArgumentError: invalid version: 2.7
Prism.parse("1", command_line: "z") # raises ArgumentError: invalid command line flag: 'z'
Prism.parse("1", other: 1) # raises ArgumentError: unknown keyword: other
Prism.parse("1", scopes: [1]) # raises TypeError: wrong argument type Integer (expected Array or Prism::Scope)
Prism.parse("1", line: 2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Prism.parse(1) # raises TypeError: wrong argument type Integer (expected String)
Prism.parse_file("/there/is/none.rb") # raises Errno::ENOENT: No such file or directory - /there/is/none.rb
Prism.parse_file("/") # raises Errno::EISDIR: Is a directory - /

# The bytes that other programs read.
dumped = Prism.dump("a = 1")
[dumped.byteslice(0, 9), dumped.encoding] # => ["PRISM\x01\a\x00\x00", #<Encoding:BINARY (ASCII-8BIT)>]
Prism.load("a = 1", dumped).value.locals # => [:a]
Prism.load("a = 1", "PRISM\0\0\0\0".b) # raises RuntimeError: Invalid serialization

Prism::StringQuery.local?("foo") # => true
Prism::StringQuery.constant?("foo") # => false
# What lies behind the bytes of a string that is a part of another one has no say.
Prism::StringQuery.local?(("f" * 5000 + "=" + "f" * 5000)[0, 5000]) # => true
Prism::StringQuery.method_name?(("f" * 5000 + "=!" * 5000)[0, 5001]) # => true
Prism::StringQuery.method_name?("foo=") # => true
Prism::StringQuery.local?("a".encode("UTF-16LE")) # raises ArgumentError: Invalid or non ascii-compatible encoding

# Deep trees.
deep = "[" * 2000 + "]" * 2000
Prism.parse_success?(deep) # => true

# A stream is read to __END__.
require "stringio"
stream = StringIO.new("1\n__END__\nrest\n")
Prism.parse_stream(stream).data_loc.slice # => "__END__\n"
stream.read # => "rest\n"
stream = StringIO.new("<<A\n__END__\nA\n")
Prism.parse_stream(stream).value.statements.body.first.unescaped # => "__END__\n"

# Other threads run while a long source is parsed.
threads = 4.times.map { Thread.new { Prism.parse_success?("a = [1, 2, 3]\n" * 20_000) } }
threads.map(&:value).uniq # => [true]
