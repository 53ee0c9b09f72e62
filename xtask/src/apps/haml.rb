apps_require "haml", "tilt"

t =
  "%html\n  %head\n    %title= title\n  %body#main.a{class: 'b', data: {x: 1, y: {z: 2}}}\n" \
  "    - items.each_with_index do |i, n|\n      %li{id: \"i\#{n}\"}= i\n    :javascript\n" \
  "      alert(\#{items.size})\n    :plain\n      raw <b>\n    - if items.any?\n      %p yes & \#{items.first}\n" \
  "    - else\n      %p no\n    != '<i>'\n    = '<i>'\n    / comment\n    %img{src: 'a.png', alt: nil, hidden: true}/\n"
p Haml::VERSION
tm = Tilt::HamlTemplate.new { t }
puts tm.render(Object.new, title: "T", items: ["a<", "b"])
begin
  Tilt::HamlTemplate.new { "%p\n      %b\n  %c\n" }.render
rescue => e
  p e.class, e.message
end
