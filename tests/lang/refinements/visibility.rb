# Visibility that a refinement gives to methods.
class Cow
  def low = "low"
  private def moo = "moo"
end
class Farm
  def open = 1
end
module Louder
  refine(Cow) { public :moo; private :low }
end
module Fenced
  refine(Farm) do
    def shown = [secret, self.secret, guarded(self)]
    def guarded(other) = other.kept
    private
    def secret = 1
    define_method(:made) { 2 }
    attr_reader :read
    public
    def again = 3
    private def marked = 4
    def later = 5
    private :later
    protected def kept = 6
    def +(other) = other
    private :+
  end
end
Cow.new.moo # raises NoMethodError: private method 'moo' called for an instance of Cow
using Louder
using Fenced
Cow.new.moo # => "moo"
Cow.new.low # raises NoMethodError: private method 'low' called for an instance of Cow
Cow.new.instance_eval { low } # => "low"
Cow.new.public_send(:moo) # => "moo"
Cow.new.respond_to?(:moo) # => true
[Cow.new].map(&:moo) # => ["moo"]
Farm.new.shown # => [1, 1, 6]
Farm.new.secret # raises NoMethodError: private method 'secret' called for an instance of Farm
Farm.new&.secret # raises NoMethodError: private method 'secret' called for an instance of Farm
Farm.new.made # raises NoMethodError: private method 'made' called for an instance of Farm
Farm.new.read # raises NoMethodError: private method 'read' called for an instance of Farm
Farm.new.again # => 3
Farm.new.marked # raises NoMethodError: private method 'marked' called for an instance of Farm
Farm.new.later # raises NoMethodError: private method 'later' called for an instance of Farm
Farm.new.kept # raises NoMethodError: protected method 'kept' called for an instance of Farm
Farm.new + 1 # raises NoMethodError: private method '+' called for an instance of Farm
Farm.new.send(:secret) # => 1
Farm.new.public_send(:secret) # raises NoMethodError: private method 'secret' called for an instance of Farm
Farm.new.respond_to?(:secret) # => false
Farm.new.respond_to?(:secret, true) # => true
Farm.new.instance_eval { secret } # => 1
defined?(Farm.new.kept) # => nil
defined?(Farm.new.again) # => "method"
class Farm
  def inside(other) = [secret, other.kept]
end
Farm.new.inside(Farm.new) # => [1, 6]
[Cow.private_method_defined?(:moo), Cow.public_method_defined?(:low)] # => [true, true]
module Wrapping
  refine(Cow) do
    public :moo
    def moo = "refined #{super}"
  end
end
using Wrapping
Cow.new.moo # => "refined moo"
module Wrong
  refine(Cow) { public :nosuch } # raises NameError: undefined method 'nosuch' for module '#<refinement:Cow@Wrong>'
end
