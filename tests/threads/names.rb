# The texts of a thread show its name byte by byte, in the name's encoding.
thread = Thread.new { }.join
thread.name = "b\xFF"
thread.inspect.b[/@b\xFF /n] # => "@b\xFF "
thread.name = "\xE9".dup.force_encoding("ISO-8859-1")
thread.inspect.encoding # => #<Encoding:ISO-8859-1>
thread.name = "é"
[thread.inspect.encoding, thread.inspect[/@. /]] # => [#<Encoding:UTF-8>, "@é "]
thread.name = "e"
thread.inspect[/@. /] # => "@e "
thread.name = nil
thread.inspect.include?("@") # => false
