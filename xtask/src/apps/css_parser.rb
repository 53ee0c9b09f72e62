begin
  apps_require "css_parser", "sass"
rescue NameError, ArgumentError
  # Older versions do not load in a Ruby of today.
  exit!(77)
end

c = CssParser::Parser.new
c.add_block!("a{color:red;margin:1px 2px} b, i > u {font:bold 12px/1 'A', serif} @media print { a { color: blue } }")
c.each_selector { |*a| p a }
puts c.to_s
puts Sass::Engine.new("$a: 3px\n=m($x: 1)\n  width: $x * $a\n.a\n  +m(2)\n  &:hover\n    color: darken(#fff, 20%)\n" \
                      "  @each $i in a, b\n    .\#{$i}\n      height: percentage(1/3)\n", syntax: :sass).render
begin; Sass::Engine.new("a { b: $c }", syntax: :scss).render; rescue => e; p e.class, e.message; end
