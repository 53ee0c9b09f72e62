apps_require "mustache", "liquid", "tilt", "slim", "erubi"

puts Mustache.render("{{#list}}<{{name}}>{{^last}},{{/last}}{{/list}} {{{raw}}} {{&raw}} {{raw}}",
                     list: [{ name: "a" }, { name: "b", last: true }], raw: "<b>")
template =
  Liquid::Template.parse("{% for i in (1..3) %}{{ i | times: 2 }}{% unless forloop.last %}, {% endunless %}{% endfor " \
                         "%}{{ 'ab' | upcase | append: '!' }}")
puts template.render,
     Liquid::Template.parse("{{ x.y.z }}{% if x.y.z > 2 %} big{% else %} small{% endif %}")
       .render("x" => { "y" => { "z" => 3 } })
begin
  Liquid::Template.parse("{% if %}")
rescue Liquid::SyntaxError => error
  puts error.message
end
puts Slim::Template.new { "doctype html\nhtml\n  head\n    title = name\n  body#b.c\n    - 2.times do |i|\n" \
                          "      p class=\"x\#{i}\" data-n=i *{a: 1} Text \#{i}\n" \
                          "    | <raw>\n" }.render(Struct.new(:name).new("N & M"))
puts Tilt["erb"].new { "<% 2.times do |i| %>\n<%= i %>\n<% end %><%= yield %>" }.render { "block" }
puts Tilt::ErubiTemplate.new(escape_html: true) { "<%= '<' %><%== '<' %>" }.render
