apps_require "kramdown", "rouge"

text =
  "# Title {#id}\n\nText *a* **b** `c` [d](e \"f\")[^1]\n\n[^1]: note\n\n* a\n  * b\n\n| x | y |\n|---|--:|\n" \
  "| 1 | 2 |\n\n~~~ ruby\ndef a(b) = b * 2 # c\n~~~\n"
puts Kramdown::Document.new(text, syntax_highlighter: "rouge").to_html, Kramdown::Document.new(text).to_latex
%w[ruby python json c html].each do |name|
  puts Rouge::Formatters::HTML.new.format(Rouge::Lexer.find(name).lex(%(x = {"a": [1, "b"]} # c\n<b>\n)))
end
30.times { Kramdown::Document.new(text * 5).to_html }
