# gems: liquid
require "liquid"
template = Liquid::Template.parse(<<~'LIQUID', error_mode: :strict)
  {% assign names = "b,a,c" | split: "," | sort -%}
  {% for n in names %}{{ forloop.index }}:{{ n | upcase }}{% unless forloop.last %}, {% endunless %}{% endfor %}
  {% if user.age > 18 and user.name contains "n" %}{{ user.name | append: "!" }}{% elsif false %}no{% else -%}
  minor{% endif %}
  {% case x %}{% when 1 %}one{% when 2, 3 %}few{% else %}many{% endcase %}
  {% capture c %}{{ price | times: 1.5 | round: 2 }}{% endcapture %}[{{ c }}]
  {% tablerow i in (1..4) cols:2 %}{{ i }}{% endtablerow %}
  {{ "2024-02-29" | date: "%d.%m.%Y" }} {{ "<b>" | escape }} {{ list | map: "k" | join: "-" }} {{ nothing
  | default: "d" }}
  {% comment %}hidden{% endcomment %}{% raw %}{{ raw }}{% endraw %} {% cycle "a", "b" %}{% cycle "a", "b"
  %} {% increment z %}{% increment z %}
LIQUID
puts template.render("user" => { "name" => "Ann", "age" => 20 }, "x" => 3, "price" => 3,
                     "list" => [{ "k" => 1 }, { "k" => 2 }])
begin
  Liquid::Template.parse("{% if %}", error_mode: :strict)
rescue Liquid::SyntaxError => e
  puts e.message
end
puts Liquid::Template.parse("{{ 1 | divided_by: 0 }} {{ a.b.c }}").render
module Filters
  def shout(text) = "#{text.upcase}!"
end
puts Liquid::Template.parse("{{ 'x' | shout }}").render({}, filters: [Filters])
class Hello < Liquid::Tag
  def initialize(tag, markup, options)
    super
    @who = markup.strip
  end

  def render(_) = "hello #{@who}"
end
Liquid::Template.register_tag("hello", Hello)
puts Liquid::Template.parse("{% hello world %}").render
# prints: 1:A, 2:B, 3:C
# prints: Ann!
# prints: few
# prints: [4.5]
# prints: <tr class="row1">
# prints: <td class="col1">1</td><td class="col2">2</td></tr>
# prints: <tr class="row2"><td class="col1">3</td><td class="col2">4</td></tr>
# prints:
# prints: 29.02.2024 &lt;b&gt; 1-2 d
# prints: {{ raw }} ab 01
# prints: Liquid syntax error: [:end_of_string] is not a valid expression in ""
# prints: Liquid error: divided by 0
# prints: X!
# prints: hello world
