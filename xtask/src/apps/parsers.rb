apps_require "parser/current", "parslet", "treetop", "citrus"

code =
  "class A < B\n  def c(d, *e, f: 1, &g)\n    d.map { |h| h + 1 } if e.any? && f\n  rescue X => y\n    \"a\#{b}\"\n" \
  "  end\nend\n"
puts Parser::Ruby31.new.parse(Parser::Source::Buffer.new("a", source: code)).inspect
class Sum < Parslet::Parser
  rule(:number) { match("[0-9]").repeat(1).as(:n) >> match('\s').repeat }
  rule(:sum) { number.as(:left) >> str("+") >> match('\s').repeat >> expression.as(:right) }
  rule(:expression) { sum | number }
  root :expression
end
puts Sum.new.parse("1 + 22+3").inspect.gsub(/:(\w+)=>/, "\\1: ")
begin
  Sum.new.parse("1 +")
rescue Parslet::ParseFailed => error
  puts error.message
end
Treetop.load_from_string("grammar Arith\n  rule sum\n    number '+' sum { def value = number.value + sum.value } / " \
                         "number\n  end\n  rule number\n    [0-9]+ { def value = text_value.to_i }\n  end\nend\n")
p ArithParser.new.parse("1+2+39").value, ArithParser.new.parse("x")
Citrus.eval("grammar C\n  rule n\n    [0-9]+ { to_str.to_i }\n  end\nend")
p C.parse("42").value
20.times { Parser::Ruby31.new.parse(Parser::Source::Buffer.new("a", source: code * 20)) }
