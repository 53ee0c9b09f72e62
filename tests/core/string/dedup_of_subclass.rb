# A string of a subclass is not shared: `-` gives a frozen copy of what is not frozen, and itself otherwise.
class Kind < String; end
kind = Kind.new("a")
minus = -kind
minus.equal?(kind) # => false
kind.frozen? # => false
minus.frozen? # => true
minus.class # => Kind
(-minus).equal?(minus) # => true
