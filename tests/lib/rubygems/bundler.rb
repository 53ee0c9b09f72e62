# Bundler: a bundle of a gem at a path and one that is installed; setup, exec, inline, what is missing.
# gems: bundler
# timeout: 180
require "fileutils"
require "rbconfig"
require "tmpdir"

DIR = Dir.mktmpdir
at_exit { FileUtils.rm_rf(DIR) }
APP = File.join(DIR, "app")
ENVIRONMENT = { "RUBYOPT" => nil, "RUBYLIB" => nil, "GEM_PATH" => nil, "HOME" => DIR, "XDG_DATA_HOME" => nil,
                "BUNDLE_GEMFILE" => nil, "BUNDLE_SILENCE_ROOT_WARNING" => "1" }
FileUtils.mkdir_p([APP, File.join(DIR, "mine/lib")])

def command(*words) = IO.popen([ENVIRONMENT, *words, { chdir: APP, err: [:child, :out] }], &:read).lines.map(&:chomp)
def bundle(*words)
  command(RbConfig.ruby, "-e", "load Gem.activate_bin_path('bundler', 'bundle', '>= 0.a')", "--", *words)
end

File.write(File.join(DIR, "mine/lib/mine.rb"), "MINE = 1\n")
File.write(File.join(DIR, "mine/mine.gemspec"), <<~RUBY)
  Gem::Specification.new do |spec|
    spec.name = "mine"
    spec.version = "0.1"
    spec.summary = "mine"
    spec.authors = ["me"]
    spec.files = ["lib/mine.rb"]
  end
RUBY

bundle("init").first.start_with?("Writing new Gemfile")                        # => true
File.write(File.join(APP, "Gemfile"), "source 'https://example.org'\ngem 'mine', path: '../mine'\ngem 'rake'\n")
bundle("install", "--local").last(2).first[/Bundle complete! 2 Gemfile dependencies/] # => "Bundle complete! 2 Gemfile dependencies"
File.read(File.join(APP, "Gemfile.lock"))[/^PATH\n  remote: \.\.\/mine\n  specs:\n    mine \(0\.1\)\n/].nil? # => false
bundle("list").grep(/\* (mine|rake) /).size                                    # => 2
bundle("exec", RbConfig.ruby, "-e", "require 'mine'; p MINE, Gem.loaded_specs.key?('rake')") # => ["1", "true"]
command(RbConfig.ruby, "-e", "require 'bundler/setup'; require 'mine'; p MINE") # => ["1"]
command(RbConfig.ruby, "-rbundler/setup", "-e", "begin; require 'minitest'; rescue LoadError; p $!.path; end").last # => "\"minitest\""
command(RbConfig.ruby, "-e", "require 'bundler'; Bundler.require; p MINE, defined?(Rake)").last(2) # => ["1", "\"constant\""]

inline =
  "require 'bundler/inline'; gemfile { source 'https://example.org'; gem 'mine', path: '../mine' }; require 'mine'; " \
  "p MINE"
command(RbConfig.ruby, "-e", inline)                                           # => ["1"]

File.write(File.join(APP, "Gemfile"), "source 'https://example.org'\ngem 'no-such-gem'\n")
bundle("install", "--local").any? { |line| line.include?("Could not find gem 'no-such-gem'") } # => true
File.write(File.join(APP, "Gemfile"), "gem 'x',\n")
bundle("install", "--local").any? { |line| line.include?("There was an error parsing `Gemfile`") } # => true
