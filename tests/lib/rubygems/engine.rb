# `Gem.ruby_engine` is what gems and gem.deps.rb compare with names of engines; directories of users carry another name, since compiled
# parts of gems in them are not those of CRuby.
require "rubygems"
require "tmpdir"

Gem.ruby_engine # => "ruby"
Gem.user_dir.include?("/rubellite/") # => true

Dir.mktmpdir do |dir|
  File.write("#{dir}/gem.deps.rb", "gem 'a', platforms: :ruby\ngem 'b', platforms: :jruby\nplatform(:mri) { gem 'c' }\n")
  set = Gem::RequestSet.new
  Gem::RequestSet::GemDependencyAPI.new(set, "#{dir}/gem.deps.rb").load
  set.dependencies.map(&:name) # => ["a", "c"]
end
require "bundler"
Bundler.ruby_scope.start_with?("rubellite/") # => true
