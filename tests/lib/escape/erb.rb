require "erb/escape"
ERB::Escape.html_escape("<&>'\"") # => "&lt;&amp;&gt;&#39;&quot;"
ERB::Escape.html_escape(nil) # => ""
plain = "plain"
ERB::Escape.html_escape(plain).equal?(plain) # => true
ERB::Escape.html_escape(12) # => "12"
