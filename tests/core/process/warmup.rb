# After a warm-up everything that lives is old.
require "objspace"

object = Object.new
Process.warmup # => true
ObjectSpace.dump(object).include?('"old":true') # => true
