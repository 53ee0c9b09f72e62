# RubyGems is loaded without a warning, whatever comes first.
require "rbconfig"
require "open3"
sources = ["_ = Gem::VERSION", "require 'rubygems'", "gem 'json'", "require 'bundler'"]
sources.map { |source| Open3.capture2e(RbConfig.ruby, "-w", "-e", source)[0] } # => ["", "", "", ""]
