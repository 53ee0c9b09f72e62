# Libraries that have become gems ask RubyGems where their warnings belong.
# flags: -w
# needs: 4.0
# stderr: CGI library is removed from Ruby 4.0
defined?(Gem::BUNDLED_GEMS) # => "constant"
require "cgi" # => true
CGI.escape("a b") # => "a+b"
Gem::BUNDLED_GEMS.respond_to?(:replace_require) # => true
