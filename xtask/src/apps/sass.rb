apps_require "sass"

scss = <<'S'
@use-nothing: 1;
S
source = <<'S'
$base: #336699; $sizes: (small: 10px, large: 2 * 12px);
@function double($n) { @return $n * 2; }
@mixin box($pad: 4px, $rest...) { padding: $pad; @content; margin: $rest; }
%hidden { display: none; }
.a { color: lighten($base, 20%); &:hover > b { width: double(3px) + 1; } @extend %hidden;
  @include box(2px, 1px 2px) { border: 1px solid rgba($base, .5); }
  @each $name, $size in $sizes { &-#{$name} { font-size: $size; } }
  @for $i from 1 through 3 { .w#{$i} { width: percentage($i / 3); } }
  @media screen and (min-width: 100px) { float: left; @if $base == red { x: y } @else { clear: both } } }
S
%i[nested expanded compact compressed].each do |style|
  puts Sass::Engine.new(source, syntax: :scss, style: style).render
end
puts Sass::Engine.new("$a: 3\n.x\n  width: $a + px\n  .y\n    color: mix(red, blue, 25%)\n", syntax: :sass).render
[scss, ".a { color: $none; }", ".a { width: 1px + 1s; }", ".a { @include nope; }", ".a {"].each do |text|
  told { Sass::Engine.new(text, syntax: :scss).render }
end
puts Sass::CSS.new("a b{c:d} a{e:f}").render(:scss) if defined?(Sass::CSS)
