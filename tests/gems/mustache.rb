# gems: mustache
require "mustache"
puts Mustache.render("Hi {{name}}{{^no}}, none{{/no}} {{{raw}}} {{&raw}} {{raw}}", name: "Bob", raw: "<b>")
puts Mustache.render("{{#list}}({{a}}{{#b}}+{{.}}{{/b}}){{/list}}", list: [{ a: 1, b: [2, 3] }, { a: 4, b: [] }])
puts Mustache.render("{{=<% %>=}}<% x %> <%! comment %>|", x: 5)
class View < Mustache
  self.template = "{{greeting}} {{#people}}{{name}};{{/people}} {{> part}} {{#wrapped}}in {{n}}{{/wrapped}}"
  def greeting = "hello"
  def people = [{ name: "a" }, { name: "b" }]
  def partial(name) = "<#{name} {{greeting}}>"
  def n = 3
  def wrapped = ->(text) { "[#{text}]" }
end
puts View.render
begin
  Mustache.render("{{#open}}")
rescue Mustache::Parser::SyntaxError => e
  puts e.message
end
puts Mustache::Template.new("a {{b}} {{#c}}d{{/c}}").tokens.inspect
# prints: Hi Bob, none <b> <b> &lt;b&gt;
# prints: (1+2+3)(4)
# prints: 5 |
# prints: hello a;b; <part hello> [in 3]
# prints: Unclosed section "open"
# prints:   Line 1
# prints:     {{#open}}
# prints:           ^
# prints: [:multi, [:static, "a "], [:mustache, :etag, [:mustache, :fetch, ["b"]], [1, 4]], [:static, " "], [:mustache, :section, [:mustache, :fetch, ["c"]], [1, 11], [:multi, [:static, "d"]], "d", ["{{", "}}"]]]
