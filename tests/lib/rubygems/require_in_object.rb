# A `require` of Object's is called once for each call, and its `super` goes on to RubyGems
class Object
  CALLS = []

  def require(feature)
    CALLS << feature
    super
  end
end
require "a file that is not there" # raises LoadError: cannot load such file -- a file that is not there
CALLS.count("a file that is not there") # => 1
require "tsort" # => true
CALLS.last # => "tsort"
