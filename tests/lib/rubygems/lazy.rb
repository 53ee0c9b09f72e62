# RubyGems is there from the start, whatever part of it a program touches first.
require "rbconfig"

def run(source, *words)
  IO.popen([{ "RUBYOPT" => nil }, RbConfig.ruby, *words, "-e", source, err: [:child, :out]], &:read).lines.map(&:chomp)
end

run("p require('rubygems'), defined?(Gem), Gem::VERSION.class")          # => ["false", "\"constant\"", "String"]
run("p require('rubygems/version'), Gem::Version.new('1.10') > Gem::Version.new('1.9')").last # => "true"
files = %w[basic_specification deprecate platform requirement specification util commands/list_command package]
files.map { |name| run("require 'rubygems/#{name}'; p Gem::Specification.name") }.uniq # => [["\"Gem::Specification\""]]
run("p Gem.default_exec_format, Gem.ruby == RbConfig.ruby")               # => ["\"%s\"", "true"]
run("p Gem::Specification.load_defaults.nil?").size                       # => 1
run("p defined?(Gem), require('rubygems'), Gem::VERSION.class", "--disable=gems") # => ["nil", "true", "String"]
run("p respond_to?(:gem, true)", "--disable=gems")                        # => ["false"]
run("gem 'no-such-gem'").first[/Could not find 'no-such-gem'/]            # => "Could not find 'no-such-gem'"

# Default gems that were required before RubyGems came are active.
run("require 'json'; require 'set'; p Gem.loaded_specs.key?('json')")     # => ["true"]
run("p Gem.loaded_specs.key?('json')")                                    # => ["false"]

# A `require` of the program's own stays in front.
OWN = <<~RUBY
  module Kernel
    alias mine require
    def require(name) = (puts name; mine(name))
  end
  Gem
  puts "loaded"
  require "English"
  begin
    require "no-such"
  rescue LoadError => error
    p error.path
  end
RUBY
run(OWN).drop_while { |line| line != "loaded" }.drop(1) # => ["English", "no-such", "\"no-such\""]

# Directories are those of the environment in which the program was started.
DIRS = "p Gem.dir == dir, Gem.path.include?('/nowhere'), Gem.user_dir.start_with?('/nowhere')"
run("ENV['GEM_HOME'] = '/nowhere'; dir = Gem.default_dir; #{DIRS}").uniq # => ["true", "false"]
run("ENV['GEM_PATH'] = ENV['HOME'] = ENV['XDG_DATA_HOME'] = '/nowhere'; dir = Gem.dir; #{DIRS}") # => ["true", "false", "false"]
run("ENV['GEM_HOME'] = '/nowhere'; Gem.clear_paths; p Gem.dir")           # => ["\"/nowhere\""]
run("Gem; ENV['GEM_HOME'] = '/nowhere'; p Gem.dir == '/nowhere'")         # => ["false"]
