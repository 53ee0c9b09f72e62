# A name of dots alone has no suffix.
File.basename("..", ".*") # => ".."
File.basename("a/...", ".*") # => "..."
File.basename("..a", ".*") # => "..a"
File.basename(".a", ".*") # => ".a"
File.basename("a..", ".*") # => "a."
File.basename("..a.b", ".*") # => "..a"
File.basename("..", ".") # => "."
