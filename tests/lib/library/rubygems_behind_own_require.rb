# RubyGems is loaded when it is first used; that a program has put its own `require` in front by then is no reason to
# warn.
$said = []
def Warning.warn(message, **) = $said << message
$VERBOSE = true

module Kernel
  alias_method :require_before, :require
  def require(path) = require_before(path)
end

Gem::Version.new("1.2").segments # => [1, 2]
$said.grep(/redefined|previous definition/) # => []
