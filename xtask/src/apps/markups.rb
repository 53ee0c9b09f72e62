apps_require "maruku", "creole", "rubypants", "htmlentities"

puts Maruku.new("# A\n\n* b\n* c\n\n[x](http://a.b \"t\") *em* `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nterm\n" \
                ": def\n").to_html
puts Creole.creolize("= H =\n* a\n** b\n|=x|y|\n**bold** //it// [[l|t]] {{{pre}}}")
puts RubyPants.new("\"Hello\" -- 'it's'...").to_html
p HTMLEntities.new.decode("&lt;&eacute;&#x41;&#65;&amp;"), HTMLEntities.new(:expanded).encode("<élŠ>", :named, :decimal)
