X = :top
module Outer
  X = :outer
  class Base
    Y = :base
    def self.x = X
  end
  class Inner < Base
    def x = X
    def y = Y
    def top = ::X
  end
end
Outer::Inner.new.x # => :outer
Outer::Inner.new.y # => :base
Outer::Inner.new.top # => :top
Outer::Inner::Y # => :base
class Outer::Compact < Outer::Base
  def x = X
end
Outer::Compact.new.x # => :top
module Mixin
  Z = :mixin
end
class Takes
  include Mixin
  def z = Z
end
Takes.new.z # => :mixin
Outer::Base::X # raises NameError: uninitialized constant Outer::Base::X
Outer::Nope # raises NameError: uninitialized constant Outer::Nope
Nope # raises NameError: uninitialized constant Nope
1::X # raises TypeError: 1 is not a class/module
Outer.const_get(:X) # => :outer
Object.const_get("Outer::Inner::Y") # => :base
