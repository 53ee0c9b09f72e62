# Markdown to HTML in Discount's layout.
require "rdiscount"
def html(text, *flags) = RDiscount.new(text, *flags).to_html
html("# Hi *there*\n\nA \"para\" & <b>html</b>\nsecond line  \nbreak") # => "<h1>Hi <em>there</em></h1>\n\n<p>A \"para\" &amp; <b>html</b>\nsecond line<br/>\nbreak</p>\n"
html("* a\n* b") # => "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"
html("* a\n\n* b") # => "<ul>\n<li><p>a</p></li>\n<li><p>b</p></li>\n</ul>\n"
html("1. x\n2. y") # => "<ol>\n<li>x</li>\n<li>y</li>\n</ol>\n"
html("* a\n    * b") # => "<ul>\n<li>a\n\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>\n"
html("> q\n> r") # => "<blockquote><p>q\nr</p></blockquote>\n"
html("    code <x>") # => "<pre><code>code &lt;x&gt;\n</code></pre>\n"
html("~~~ruby\nx=1\n~~~") # => "<pre><code class=\"ruby\">x=1\n</code></pre>\n"
html("---") # => "<hr />\n"
html("![i](a.png \"t\") [l](http://x \"T\")") # => "<p><img src=\"a.png\" title=\"t\" alt=\"i\" /> <a href=\"http://x\" title=\"T\">l</a></p>\n"
html("a^b ~~s~~ `co<de`") # => "<p>a<sup>b</sup> <del>s</del> <code>co&lt;de</code></p>\n"
html("a^b ~~s~~", :no_superscript, :no_strikethrough) # => "<p>a^b ~~s~~</p>\n"
html("a -- b --- c ... \"q\" 'z' (c)", :smart) # => "<p>a &ndash; b &mdash; c &hellip; &ldquo;q&rdquo; &lsquo;z&rsquo; &copy;</p>\n"
html("<b>x</b>", :filter_html) # => "<p>&lt;b>x&lt;/b></p>\n"
html("<style>p{}</style>\n\nfoo", :filter_styles) # => "<p>foo</p>\n"
html("see http://foo.com/a.", :autolink) # => "<p>see <a href=\"http://foo.com/a\">http://foo.com/a</a>.</p>\n"
html("[a](javascript:foo) [b](http://x)", :safelink) # => "<p>[a](javascript:foo) <a href=\"http://x\">b</a></p>\n"
html("![a](b) [c](d)", :no_image) # => "<p>![a](b) <a href=\"d\">c</a></p>\n"
html("![a](b) [c](d)", :no_links) # => "<p><img src=\"b\" alt=\"a\" /> [c](d)</p>\n"
html("[t](class:foo) [t](abbr:foo) [t](raw:foo)") # => "<p><span class=\"foo\">t</span> <abbr title=\"foo\">t</abbr> foo</p>\n"
html("[t](class:foo)", :no_pseudo_protocols) # => "<p>[t](class:foo)</p>\n"
html("|a|b|\n|-|-|\n|1|2|") # => "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n"
html("") # => "\n"
html("f[^1]\n\n[^1]: note", :footnotes).include?("<li id=\"fn:1\">") # => true
html("# A b", :generate_toc) # => "<a name=\"A-b\"></a>\n<h1>A b</h1>\n"
RDiscount.new("# A\n\n## B!\n\n# C", :generate_toc).toc_content # => "<ul>\n <li><a href=\"#A\">A</a>\n <ul>\n  <li><a href=\"#B-21-\">B!</a></li>\n </ul>\n </li>\n <li><a href=\"#C\">C</a></li>\n</ul>\n\n"
RDiscount.new("# A").toc_content # => "\n"
Markdown # => RDiscount
RDiscount.new("x", :smart).smart # => true
RDiscount.new("x", :foo) # raises NoMethodError
RDiscount.new(nil).to_html # raises TypeError: wrong argument type nil (expected String)
html("x".b).encoding # => #<Encoding:BINARY (ASCII-8BIT)>
html("a\xFFb").bytes # => [60, 112, 62, 97, 255, 98, 60, 47, 112, 62, 10]
