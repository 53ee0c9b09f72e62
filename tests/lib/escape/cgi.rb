# needs: 4.0
require "cgi/escape"
CGI.escapeHTML("<a href=\"x\">'&'</a>é") # => "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;é"
CGI.escapeHTML("plain") # => "plain"
CGI.unescapeHTML("&lt;&gt;&amp;&quot;&apos;&#39;&#x41;&#66;&#x3042;") # => "<>&\"''ABあ"
CGI.unescapeHTML("&nope; &#; &#xz; &lt &#99999999999;") # => "&nope; &#; &#xz; &lt &#99999999999;"
CGI.unescapeHTML("&#233;".dup.force_encoding("ISO-8859-1")).bytes # => [233]
CGI.unescapeHTML("&#233;".b) # => "&#233;"
CGI.escape("a b+c&d=é~*") # => "a+b%2Bc%26d%3D%C3%A9~%2A"
CGI.unescape("a+b%2Bc%26%C3%A9%zz%4") # => "a b+c&é%zz%4"
CGI.unescape("%E9", "ISO-8859-1").encoding # => #<Encoding:ISO-8859-1>
CGI.unescape("%E9").valid_encoding? # => false
CGI.escapeURIComponent("a b/é") # => "a%20b%2F%C3%A9"
CGI.unescapeURIComponent("a+b%20c") # => "a+b c"
CGI.escapeHTML("<é>".encode("UTF-16LE")) == "&lt;é&gt;".encode("UTF-16LE") # => true
CGI.escapeHTML(nil) # raises TypeError
CGI.unescapeHTML("&#xD800;").bytes # => [237, 160, 128]
CGI.unescapeHTML("&#57343;").valid_encoding? # => false
CGI.escapeElement('<A <A HREF="url"></A>', "A", "IMG") # => "&lt;A &lt;A HREF=&quot;url&quot;&gt;&lt;/A&gt;"
CGI.unescapeElement("&lt;BR&gt;&lt;A HREF=&quot;u&quot;&gt;&lt;A ", "A") # => "&lt;BR&gt;<A HREF=\"u\"><A "
Object.new.extend(CGI::Escape).h("<a & b>") # => "&lt;a &amp; b&gt;"
