# gems: rouge
require "rouge"
source = <<~'RUBY'
  class Foo < Bar
    # comment
    def baz(a, b: 1) = "x#{a}\n" + %w[a b].join(/r/i.source)
    SYM = :sym
    @ivar ||= 0x1f
  end
RUBY
puts Rouge::Formatters::HTML.new.format(Rouge::Lexers::Ruby.new.lex(source))
%w[python javascript json html css c rust shell sql yaml].each do |name|
  lexer = Rouge::Lexer.find(name)
  tokens = lexer.lex("if x == 1 { \"s\": [1, 2.5] } // y\n<a href='b'>&amp;</a> # c\nSELECT * FROM t;\n").to_a
  puts "#{name} #{lexer} #{tokens.size} #{tokens.map { |t, v| "#{t.qualname}:#{v.size}" }.join(" ")[0, 300]}"
end
puts Rouge::Themes::Github.render(scope: ".h").lines.first(4).map { |line| line.tr("#", "") }
puts Rouge::Lexer.guess(filename: "a.rs"), Rouge::Lexer.guess(source: "#!/usr/bin/env ruby\n")
puts Rouge::Formatters::Terminal256.new.format(Rouge::Lexers::JSON.new.lex('{"a": [true, null]}')).inspect
# prints: <span class="k">class</span> <span class="nc">Foo</span> <span class="o">&lt;</span> <span class="no">Bar</span>
# prints:   <span class="c1"># comment</span>
# prints:   <span class="k">def</span> <span class="nf">baz</span><span class="p">(</span><span class="n">a</span><span class="p">,</span> <span class="ss">b: </span><span class="mi">1</span><span class="p">)</span> <span class="o">=</span> <span class="s2">"x</span><span class="si">#{</span><span class="n">a</span><span class="si">}</span><span class="se">\n</span><span class="s2">"</span> <span class="o">+</span> <span class="sx">%w[a b]</span><span class="p">.</span><span class="nf">join</span><span class="p">(</span><span class="sr">/r/i</span><span class="p">.</span><span class="nf">source</span><span class="p">)</span>
# prints:   <span class="no">SYM</span> <span class="o">=</span> <span class="ss">:sym</span>
# prints:   <span class="vi">@ivar</span> <span class="o">||=</span> <span class="mh">0x1f</span>
# prints: <span class="k">end</span>
# prints: python Rouge::Lexers::Python 49 Keyword:2 Text:1 Name:1 Text:1 Operator:2 Text:1 Literal.Number.Integer:1 Text:1 Punctuation:1 Text:1 Literal.String:3 Punctuation:1 Text:1 Punctuation:1 Literal.Number.Integer:1 Punctuation:1 Text:1 Literal.Number.Float:3 Punctuation:1 Text:1 Punctuation:1 Text:1 Operator:2 Text:1 Name:1 Text:1 Ope
# prints: javascript Rouge::Lexers::Javascript 49 Keyword:2 Text:1 Name.Other:1 Text:1 Operator:2 Text:1 Literal.Number.Integer:1 Text:1 Punctuation:1 Text:1 Literal.String.Delimiter:1 Literal.String.Double:1 Literal.String.Delimiter:1 Punctuation:1 Text:1 Punctuation:1 Literal.Number.Integer:1 Punctuation:1 Text:1 Literal.Number.Float:3 Punctuatio
# prints: json Rouge::Lexers::JSON 42 Error:2 Text.Whitespace:1 Error:1 Text.Whitespace:1 Error:2 Text.Whitespace:1 Literal.Number.Integer:1 Text.Whitespace:1 Punctuation:1 Text.Whitespace:1 Name.Label:3 Punctuation:1 Text.Whitespace:1 Punctuation:1 Literal.Number.Integer:1 Punctuation:1 Text.Whitespace:1 Literal.Number.Float:3 Punctuat
# prints: html Rouge::Lexers::HTML 9 Text:33 Name.Tag:2 Text:1 Name.Attribute:5 Literal.String:3 Name.Tag:1 Name.Entity:5 Name.Tag:4 Text:22
# prints: css Rouge::Lexers::CSS 47 Name.Tag:2 Text:1 Name.Tag:1 Text:1 Operator:2 Text:1 Error:1 Text:1 Punctuation:1 Text:1 Error:4 Text:1 Error:3 Text:1 Error:4 Text:1 Punctuation:1 Text:1 Operator:2 Text:1 Name.Tag:1 Text:1 Operator:1 Name.Tag:1 Text:1 Name.Tag:4 Operator:1 Literal.String.Double:3 Operator:2 Name.Tag:3 Operator:3
# prints: c Rouge::Lexers::C 52 Keyword:2 Text:1 Name:1 Text:1 Operator:2 Text:1 Literal.Number.Integer:1 Text:1 Punctuation:1 Text:1 Literal.String:3 Operator:1 Text:1 Punctuation:1 Literal.Number.Integer:1 Punctuation:1 Text:1 Literal.Number.Integer:1 Punctuation:1 Literal.Number.Integer:1 Punctuation:1 Text:1 Punctuation:1 Text
# prints: rust Rouge::Lexers::Rust 50 Keyword:2 Text:1 Name:1 Text:1 Operator:2 Text:1 Literal.Number.Integer:1 Text:1 Punctuation:1 Text:1 Literal.String:3 Punctuation:1 Text:1 Punctuation:1 Literal.Number.Integer:1 Punctuation:1 Text:1 Literal.Number.Float:3 Punctuation:1 Text:1 Punctuation:1 Text:1 Comment.Single:4 Text:1 Operator:1
# prints: shell Rouge::Lexers::Shell 25 Keyword:3 Text:2 Operator:2 Text:3 Operator:1 Text:1 Literal.String.Double:3 Text:2 Operator:1 Text:8 Operator:1 Text:9 Name.Variable:4 Operator:1 Literal.String.Single:3 Operator:1 Text:4 Punctuation:1 Text:5 Comment:3 Text:8 Keyword:1 Text:7 Punctuation:1 Text:1
# prints: sql Rouge::Lexers::SQL 54 Name:2 Text:1 Name:1 Text:1 Operator:2 Text:1 Literal.Number.Integer:1 Text:1 Punctuation:1 Text:1 Name.Variable:3 Punctuation:1 Text:1 Punctuation:1 Literal.Number.Integer:1 Punctuation:1 Text:1 Literal.Number.Integer:1 Punctuation:1 Literal.Number.Integer:1 Punctuation:1 Text:1 Punctuation:1 Text:
# prints: yaml Rouge::Lexers::YAML 20 Literal.String:15 Error:1 Text:1 Punctuation.Indicator:1 Name.Variable:1 Punctuation.Indicator:1 Text:1 Name.Variable:3 Punctuation.Indicator:1 Text:1 Error:1 Text:1 Literal.String:4 Text:1 Literal.String:21 Text:1 Comment.Single:3 Text:1 Literal.String:16 Text:1
# prints: .h table td { padding: 5px; }
# prints: .h table pre { margin: 0; }
# prints: .h .cm {
# prints:   color: 999988;
# prints: Rouge::Lexers::Rust
# prints: Rouge::Lexers::Ruby
# prints: "\e[38;5;87m{\e[39m\e[38;5;214;01m\"a\"\e[39;00m\e[38;5;87m:\e[39m\e[38;5;230m \e[39m\e[38;5;87m[\e[39m\e[38;5;212;01mtrue\e[39;00m\e[38;5;87m,\e[39m\e[38;5;230m \e[39m\e[38;5;212;01mnull\e[39;00m\e[38;5;87m]}\e[39m"
