# needs: 4.0
# RubyGems that a program without gems loads by itself knows what this Ruby is.
def say(source) = IO.popen([RbConfig.ruby, "--disable=gems", "-e", source], err: %i[child out], &:read)
say("print defined?(Gem).inspect; require 'rubygems'; print Gem.default_exec_format, Gem.ruby_engine, Gem.user_dir.end_with?('/ruby/4.0.0+rubellite2')") # => "nil%srubytrue"
say("require 'rubygems'; gem 'json'; print Gem.loaded_specs.keys") # => "[\"json\"]"
