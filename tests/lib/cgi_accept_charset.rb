# The encoding that CGI.unescape gives is a class variable that programs see.
# needs: 4.0
require "cgi/escape"

CGI.unescape("caf%C3%A9") # => "café"
CGI.class_variable_get(:@@accept_charset) # => #<Encoding:UTF-8>
class CGI
  @@accept_charset = Encoding::ISO_8859_1
end
CGI.unescape("caf%E9").encoding # => #<Encoding:ISO-8859-1>
CGI.unescapeURIComponent("caf%E9").encoding # => #<Encoding:ISO-8859-1>
CGI.unescape("caf%C3%A9", Encoding::UTF_8).encoding # => #<Encoding:UTF-8>
CGI.class_variable_set(:@@accept_charset, Encoding::UTF_8)
CGI::Escape.instance_methods.grep(/accept/) # => []
Class.new { include CGI::Escape }.new.unescape("%C3%A9") # => "é"
