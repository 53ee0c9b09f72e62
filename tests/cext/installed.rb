# An extension in a directory of the load path before the library's own comes first, one behind it does not.
require_relative "fixtures/build"
script = <<~RUBY
  require "tmpdir"
  require "rbconfig"
  ARGV.each { |dir| dir.start_with?("+") ? $LOAD_PATH.push(dir[1..]) : $LOAD_PATH.unshift(dir) }
  require "zlib"
  p [defined?(Zlib::INSTALLED), defined?(Zlib::Deflate)]
RUBY
dir = File.dirname(load_c("zlib"))
Zlib::INSTALLED # => true
ruby = RbConfig.ruby
IO.popen([ruby, "-e", script, dir], &:read) # => "[\"constant\", nil]\n"
IO.popen([ruby, "-e", script, "+#{dir}"], &:read) # => "[nil, \"constant\"]\n"
IO.popen([ruby, "-e", script], &:read) # => "[nil, \"constant\"]\n"
