# Modules that include or are named after each other in odd orders.
prepended = Module.new { def from_prepended = :prepended }
included = Module.new { def from_included = :included }
shared = Module.new
user = Class.new { include shared }
shared.prepend prepended
Class.new { include shared }
shared.include included
user.new.from_included # => :included
user.new.from_prepended # => :prepended
user.ancestors.take(4) == [user, prepended, shared, included] # => true

outer = Module.new
outer.const_set(:N, Module.new)
outer.const_set(:Recursive, outer)
outer::N.const_set(:Recursive, outer)
outer.set_temporary_name("fake_name").name # => "fake_name"
outer::N.name # => "fake_name::N"
outer.set_temporary_name(nil).name # => nil
outer::N.name # => nil

# An object whose to_ary gives itself in a new Array each time.
def (endless = Object.new).to_ary = [self]
[endless].join # raises ArgumentError: recursive array join

# A constant that is no module where a library defines one.
Etc = Object.new
require "etc" # raises TypeError: Etc is not a module (Object)
