# Any ractor requires, with the rights of the main one: what RubyGems and programs make of `require` uses their objects
# needs: 4.0
Warning[:experimental] = false
Kernel.module_eval do
  alias_method :require_before, :require
  define_method(:require, &Ractor.shareable_proc { |feature| require_before(feature) })
end
Ractor.new { require "tsort" }.value # => true
Ractor.new { TSort.class }.value # => Module
Ractor.new { require "tsort" }.value # => false
failed = Ractor.new do
  require "a file that is not there"
rescue LoadError => e
  e.message
end
failed.value # => "cannot load such file -- a file that is not there"
autoload :Shellwords, "shellwords"
Ractor.new { Shellwords.split("a 'b c'") }.value # => ["a", "b c"]
Kernel.ancestors.size # => 2
Kernel.ancestors[0].name # => "<RactorRequire>"
Gem::Version.new("1.2").segments # => [1, 2]
Ractor.new { require "csv"; CSV.parse_line("a,b") }.value # => ["a", "b"]
