# Errors of names, types and arguments show the line that they come from, with marks below the call, its arguments or
# the constant.
require "tmpdir"
DIR = Dir.mktmpdir
at_exit { Dir.glob("#{DIR}/*").each { File.delete(_1) } and Dir.rmdir(DIR) }
def marked(code)
  file = "#{DIR}/code.rb"
  File.write(file, code)
  load file
rescue StandardError => e
  e.detailed_message(highlight: false, did_you_mean: false).lines.drop(2).join.gsub(DIR, "")
end
marked("nil.foo(1) { 2 }") # => "nil.foo(1) { 2 }\n   ^^^^"
marked("\t[nil].each { |x|\n\t x\n\t  .bar(1)\n}") # => "\t  .bar(1)\n\t  ^^^^"
marked("1 + (nil)") # => "1 + (nil)\n    ^^^^^"
marked("2 if 1 < 'a'.foo") # => "2 if 1 < 'a'.foo\n            ^^^^"
marked("v = nil; v[0] += 1") # => "v = nil; v[0] += 1\n          ^^^"
marked("v = [nil]; v[0] += 1") # => "v = [nil]; v[0] += 1\n                ^"
marked("v = [1]; v[0] += nil") # => "v = [1]; v[0] += nil\n           ^^^^^^^^^"
marked("v = Struct.new(:a).new(1); v.a += nil") # => "v = Struct.new(:a).new(1); v.a += nil\n                                  ^^^"
marked("Object.new.b = 1") # => "Object.new.b = 1\n          ^^^^"
marked("File::Stat::Missing::Stat") # => "File::Stat::Missing::Stat\n          ^^^^^^^^^"
marked("File::Missing::Missing") # => ""
marked("unknown_name") # => "unknown_name\n^^^^^^^^^^^^"
marked("[1].fetch('a')") # => "[1].fetch('a')\n          ^^^"
marked("x = 1; x += nil") # => "x = 1; x += nil\n            ^^^"
marked("'é'.foo") # => ""
marked("eval('nil.foo', nil, __FILE__, 1)") # => ""
marked("raise TypeError, 'x'") # => "raise TypeError, 'x'\n      ^^^^^^^^^^^^^^"
marked("Integer('x')") # => ""
marked("# frozen_string_literal: true\nx = ['a', *[1]]\nx.map { 'b'.foo }") # => "x.map { 'b'.foo }\n           ^^^^"
e = ([].sum("") + 1 rescue $!)
ErrorHighlight.spot(e).keys # => [:first_lineno, :first_column, :last_lineno, :last_column, :snippet, :script_lines]
ErrorHighlight.spot(3) # raises TypeError: Exception is expected
ErrorHighlight::DefaultFormatter.message_for(first_lineno: 1, last_lineno: 1, first_column: 2, last_column: 4, snippet: "\tabc\n") # => "\n\n\tabc\n\t ^^"
ErrorHighlight::DefaultFormatter.max_snippet_width = 20
marked("[#{"1, " * 20}2.foo, #{"1, " * 20}]") # => "...1, 1, 2.foo, 1...\n          ^^^^"
ErrorHighlight.formatter = Object.new.tap do |o|
  def o.message_for(spot) = "\n\n#{spot[:snippet][spot[:first_column]...spot[:last_column]]}"
end
marked("nil.foo(1)") # => ".foo"
ErrorHighlight.formatter = nil
marked("nil.foo") # => "nil.foo\n   ^^^^"
NameError.ancestors.first(3) # => [DidYouMean::Correctable, ErrorHighlight::CoreExt, NameError]
