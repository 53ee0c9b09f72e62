apps_require "treetop", "kpeg", "expression_parser"

Treetop.load_from_string("grammar A\n rule s\n  n ('+' n)* { def v; elements[1].elements.inject(n.text_value.to_i) { " \
                         "|a, e| a + e.n.text_value.to_i } end }\n end\n rule n\n  [0-9]+\n end\nend\n")
p AParser.new.parse("1+22+3").v
x = AParser.new
x.parse("1+")
puts x.failure_reason
p ExpressionParser::Parser.new.parse("1+2*(3-1)") rescue p($!)
