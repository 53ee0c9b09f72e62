# needs: 4.0
# Constants that are there from the start have no autoload, and a program's own for them does nothing.
[Object.autoload?(:Pathname), Object.autoload?(:RbConfig), Object.autoload?(:Gem), autoload?(:Pathname)] # => [nil, nil, nil, nil]
autoload :Pathname, "pathname"
Object.autoload :RbConfig, "nowhere"
require "pathname"
Pathname.new("a").join("b") # => #<Pathname:a/b>
RbConfig::CONFIG.key?("ruby_version") # => true
module Inner
  autoload :Pathname, "nowhere/pathname"
  autoload?(:Pathname) # => "nowhere/pathname"
end
