# $LOADED_FEATURES decides what require loads.
require "tmpdir"
dir = File.realpath(Dir.mktmpdir)
at_exit { require "fileutils"; FileUtils.rm_rf(dir) }
%w[one two link].each { |name| Dir.mkdir(File.join(dir, name)) unless name == "link" }
File.symlink(File.join(dir, "one"), File.join(dir, "link"))
$ran = []
%w[one two].each { |name| File.write(File.join(dir, name, "feature_x.rb"), "$ran << #{name.inspect}") }
File.write(File.join(dir, "one", "twice.rb.rb"), "$ran << 'twice'")

# An entry earlier on the path does not matter once the feature is loaded from another.
$LOAD_PATH.unshift File.join(dir, "two")
require "feature_x" # => true
$LOAD_PATH.unshift File.join(dir, "one")
require "feature_x" # => false
require "feature_x.rb" # => false
$ran # => ["two"]

# By a symbolic link it is the same file.
require File.join(dir, "one", "feature_x") # => true
require File.join(dir, "link", "feature_x") # => false
$LOADED_FEATURES.delete(File.join(dir, "one", "feature_x.rb")).nil? # => false
require File.join(dir, "link", "feature_x") # => true
$ran # => ["two", "one", "one"]

# Entries of the path that are links are resolved.
$LOADED_FEATURES.delete(File.join(dir, "link", "feature_x.rb"))
$LOADED_FEATURES.delete(File.join(dir, "two", "feature_x.rb"))
$LOAD_PATH.unshift File.join(dir, "link")
require "feature_x" # => true
$LOADED_FEATURES.last == File.join(dir, "one", "feature_x.rb") # => true

# Names that the program adds count; an extension is not doubled.
$LOADED_FEATURES << "../nowhere/feature_y.rb"
require "../nowhere/feature_y" # => false
require File.join(dir, "one", "twice.rb") # raises LoadError
# The array may change under us without changing its size.
$LOADED_FEATURES[$LOADED_FEATURES.size - 1] = "feature_z.rb"
require "feature_z" # => false
0.25r + 0.123456789876r # => (93364197469/250000000000)
0.123456789876r.denominator # => 250000000000
