module M
  A = 1
  B = 2
  private_constant :B
  C = 3
  deprecate_constant :C
end
M.constants.sort # => [:A, :C]
M::B # raises NameError: private constant M::B referenced
M.const_get(:B) # => 2
M.const_defined?(:A) # => true
M.const_defined?(:String) # => true
M.const_defined?(:String, false) # => false
M.const_set(:D, 4) # => 4
M::D # => 4
M.send(:remove_const, :D) # => 4
M::D # raises NameError: uninitialized constant M::D
M.const_set(:lower, 1) # raises NameError: wrong constant name lower
M.const_get("a b") # raises NameError: wrong constant name a b
M.const_source_location(:A).last # => 2
M.name # => "M"
Class.new.name # => nil
named = Class.new
Named = named
named.name # => "Named"
Module.nesting # => []
