autoload :Loaded, File.join(__dir__, "fixtures/loaded.rb")
autoload?(:Loaded).end_with?("fixtures/loaded.rb") # => true
Object.const_defined?(:Loaded) # => true
defined?(Loaded) # => "constant"
Loaded::VALUE # => 42
autoload?(:Loaded) # => nil
