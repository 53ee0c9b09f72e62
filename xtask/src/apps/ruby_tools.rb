apps_require "ruby_parser", "ruby2ruby", "unparser", "regexp_parser", "method_source", "coderay"

code =
  "class A < B\n  def c(d, *e, f: 1, &g)\n    return d.map { |h| h + 1 } if e.any? and f\n" \
  "    @x ||= { a: 1, \"b\" => [2, nil] }\n  end\nend\n"
sexp = RubyParser.new.parse(code)
puts sexp.inspect.gsub(/, /, ",\n"), Ruby2Ruby.new.process(sexp)
puts Unparser.unparse(Unparser.parse("a = b ? c : d\nwhile x do y rescue z end\n%w[a b].each(&:f)\n"))
puts Regexp::Parser.parse(/a(?<n>b|c)*?[x-z&&[^y]]\k<n>(?i:q)/).each_expression
  .map { |part, depth| "#{depth} #{part.class} #{part}" }
puts CodeRay.scan("def a(b) = \"x\#{b}\" # c\n", :ruby).div
def shown(x)
  # inside
  x + 1
end
puts method(:shown).source
