# `super` goes on from the class that a method was put into, with the name it had.
class Base
  def foo = :base
end

class Middle < Base
  def foo = [:middle, super()]
end

class Copied < Middle
  define_method(:bar, Middle.instance_method(:foo))
end
Copied.new.bar # => [:middle, [:middle, :base]]

# An alias of a module's method stays where the alias found it, though the module is there twice.
module First
  def foo = :first
end

module Second
  def foo = :second
end

module Forward
  def foo = [:forward, super]
end

class Below
  include Second
end

class Above < Below
  include First
  include Forward
end

class Below
  include Forward
  alias bar foo
end
Above.new.foo # => [:forward, :first]
Above.new.bar # => [:forward, :second]

one = Copied.new
one.singleton_class.define_method(:baz, Middle.instance_method(:foo))
one.baz # => [:middle, [:middle, :base]]
Copied.instance_method(:bar).owner # => Copied

# nil may be an Array.
class NilClass
  private def to_ary = [1, 2]
end
a, b = nil
[a, b] # => [1, 2]

# Whether a method that is not there is defined, `respond_to?` says.
asked = []
answering = Object.new
answering.define_singleton_method(:respond_to?) { |*names| asked << names; nil }
defined?(answering.something) # => nil
asked # => [[:respond_to_missing?, true]]
