require_relative "fixtures/once" # => true
require_relative "fixtures/once" # => false
$times # => 1
load(File.join(__dir__, "fixtures/once.rb")) # => true
$times # => 2
load(File.join(__dir__, "fixtures/wrapped.rb"), true) # => true
defined?(WrappedConst) # => nil
$wrapped_self # => "main"
require "surely/not/there" # raises LoadError: cannot load such file -- surely/not/there
(begin; require_relative("fixtures/missing"); rescue LoadError => e; e.path.end_with?("fixtures/missing"); end) # => true
$LOADED_FEATURES.any? { |f| f.end_with?("fixtures/once.rb") } # => true
