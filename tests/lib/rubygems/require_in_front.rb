# A `require` in front of Kernel's is called once for each call,
# and its `super` goes on to RubyGems, loaded now or later
calls = []
Kernel.prepend(Module.new { define_method(:require) { |feature| calls << feature; super(feature) } })
require "a file that is not there" # raises LoadError: cannot load such file -- a file that is not there
calls.count("a file that is not there") # => 1
Kernel.instance_method(:require).super_method.owner # => Kernel
calls.clear
Gem::Version.new("1") <=> Gem::Version.new("2") # => -1
require "tsort" # => true
calls.grep(/tsort/) # => ["tsort"]

# In Object
seen = []
Object.send(:define_method, :require) { |feature| seen << feature; super(feature) }
require "another that is not there" # raises LoadError: cannot load such file -- another that is not there
seen.count("another that is not there") # => 1
