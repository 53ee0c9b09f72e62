# `Gem.ruby_engine` is what gems and gem.deps.rb compare with names of engines. Directories of gems carry the version of
# an interface that is this Ruby's alone, since compiled parts of gems in them are not those of CRuby; Ruby's own gems
# lie beside its library.
require "rubygems"
require "tmpdir"

Gem.ruby_engine # => "ruby"
def self.engine_of_a_caller = Gem.ruby_engine
engine_of_a_caller # => "ruby"
abi = RbConfig::CONFIG["ruby_version"] # => "4.0.0+rubellite2"
Gem.user_dir.end_with?("/ruby/#{abi}") # => true
Gem.ruby_api_version == abi # => true
Gem.extension_api_version.start_with?(abi) # => true
File.basename(Gem.default_dir) # => "4.0.0"
File.directory?("#{Gem.default_dir}/specifications/default") # => true

Dir.mktmpdir do |dir|
  File.write("#{dir}/gem.deps.rb",
             "gem 'a', platforms: :ruby\ngem 'b', platforms: :jruby\nplatform(:mri) { gem 'c' }\n")
  set = Gem::RequestSet.new
  Gem::RequestSet::GemDependencyAPI.new(set, "#{dir}/gem.deps.rb").load
  set.dependencies.map(&:name) # => ["a", "c"]
end
require "bundler"
Bundler.ruby_scope == "ruby/#{abi}" # => true
