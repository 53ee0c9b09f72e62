# A frozen $LOADED_FEATURES takes no feature: `require` raises when the file has run, `load` is as ever.
require "tmpdir"
dir = Dir.mktmpdir
File.write("#{dir}/counted.rb", "$count = $count.to_i + 1\n")
File.write("#{dir}/awaited.rb", "Awaited = 1\n")
autoload :Awaited, "#{dir}/awaited.rb"
$LOADED_FEATURES.freeze
require "#{dir}/counted" # raises RuntimeError: $LOADED_FEATURES is frozen; cannot append feature
$count # => 1
require_relative "#{dir}/counted" # raises RuntimeError: $LOADED_FEATURES is frozen; cannot append feature
load("#{dir}/counted.rb") # => true
$count # => 3
Awaited # raises RuntimeError: $LOADED_FEATURES is frozen; cannot append feature
require "no_such_file" # raises LoadError: cannot load such file -- no_such_file
require "tmpdir" # => false
at_exit { system("rm", "-rf", dir) }
