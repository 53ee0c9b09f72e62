require "rbconfig"
ruby = RbConfig.ruby
File.exist?(ruby) # => true
