module A
  def who = [:a, *super]
end
module B
  def who = [:b, *super]
end
class Base
  def who = [:base]
end
class Derived < Base
  include A
  prepend B
  def who = [:derived, *super]
end
Derived.new.who # => [:b, :derived, :a, :base]
Derived.ancestors.first(4) # => [B, Derived, A, Base]
d = Derived.new
d.extend(Module.new { def who = [:singleton, *super] })
d.who # => [:singleton, :b, :derived, :a, :base]
def d.who = [:own, *super]
d.who # => [:own, :singleton, :b, :derived, :a, :base]
Derived.instance_method(:who).owner # => B
Derived.new.method(:who).super_method.owner # => Derived
