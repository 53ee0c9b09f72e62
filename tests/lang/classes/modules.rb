module M
  def self.own = :own
  def inst = :inst
  K = 1
end
M.own # => :own
M.instance_methods # => [:inst]
class A
  include M
  include Comparable
end
A.new.inst # => :inst
A.include?(M) # => true
A.ancestors.first(3) # => [A, Comparable, M]
A.included_modules.first(2) # => [Comparable, M]
A.new.is_a?(M) # => true
M === A.new # => true
M.new # raises NoMethodError: undefined method 'new' for module M
A < M # => true
M > A # => true
A <= A # => true
M <=> A # => 1
String < Integer # => nil
A < 3 # raises TypeError: compared with non class/module
Object.new.extend(M).singleton_class.include?(M) # => true
A.include(5) # raises TypeError: wrong argument type Integer (expected Module)
A.include # raises ArgumentError: wrong number of arguments (given 0, expected 1+)
module M2; include M; end
M2.include(M2) # raises ArgumentError: cyclic include detected
A.instance_method(:inst) # => #<UnboundMethod: M#inst() TESTS/lang/classes/modules.rb:3>
