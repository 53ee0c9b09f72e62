# The text of an instance_eval sees constants of its receiver's singleton class, where there is one, else of its class,
# before those around; definitions go to the singleton class, which is made by the first of them.
module Place
  NAME = :place

  class Holder
    NAME = :holder
  end
end

module Around
  NAME = :around

  class Caller
    NAME = :caller

    def name_in(receiver) = receiver.instance_eval("NAME")
    def define_in(receiver) = receiver.instance_eval("def found = NAME; class Inner; end; OWN = 1; [found, Inner, OWN]")
  end
end

Around::Caller.new.name_in(Place::Holder.new) # => :holder
Around::Caller.new.name_in(1) # => :caller

own = Place::Holder.new
class << own; NAME = :singleton; end
Around::Caller.new.name_in(own) # => :singleton
bare = Place::Holder.new
class << bare; end
Around::Caller.new.name_in(bare) # => :caller

defined = Place::Holder.new
Around::Caller.new.define_in(defined).values_at(0, 2) # => [:caller, 1]
defined.singleton_methods # => [:found]
defined.singleton_class.constants(false).sort # => [:Inner, :OWN]
Place::Holder.constants # => [:NAME]
1.instance_eval("def found; end") # raises TypeError: can't define singleton
1.instance_eval("FOUND = 1") # raises TypeError: can't define singleton
nil.instance_eval("def found = 3; found") # => 3
-"text".instance_eval("self") # => "text"
"text".freeze.instance_eval("def found; end") # raises TypeError: can't define singleton

c = Object.new.singleton_class
c.singleton_class.freeze
begin
  def c.found; end
rescue FrozenError => error
  error.message.sub(/0x\h+/, "0xXX") # => "can't modify frozen Class: #<Class:#<Object:0xXX>>"
end
