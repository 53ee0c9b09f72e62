require "delegate"
d = SimpleDelegator.new([1, 2, 3])
d.size # => 3
d.map { |x| x * 2 } # => [2, 4, 6]
d == [1, 2, 3] # => true
d != [1] # => true
!d # => false
d.is_a?(Array) # => false
d.class # => SimpleDelegator
d.inspect # => "[1, 2, 3]"
d.to_s # => "[1, 2, 3]"
d.respond_to?(:push) # => true
d.respond_to?(:nope) # => false
d.method(:push).call(4).equal?(d.__getobj__) # => true
d.nope # raises NoMethodError
d.__setobj__("text")
d.upcase # => "TEXT"
d.__setobj__(d) # raises ArgumentError: cannot delegate to self
SimpleDelegator.allocate.__getobj__ # raises ArgumentError: not delegated
Delegator.new(1) # raises NotImplementedError: need to define '__setobj__'
copy = d.dup
copy.__getobj__.equal?(d.__getobj__) # => false
d.freeze.frozen? # => true
d.__getobj__.frozen? # => true
class Tagged < DelegateClass(Array)
  def initialize = super([])
  def tag = "#{size} items"
end
t = Tagged.new
t << 1 << 2
t.tag # => "2 items"
t[0] # => 1
t.first(2) # => [1, 2]
t.sum { |x| x * 2 } # => 6
Tagged.instance_method(:push).class # => UnboundMethod
Tagged.public_instance_methods.include?(:push) # => true
Marshal.load(Marshal.dump(SimpleDelegator.new([1, "a"]))).__getobj__ # => [1, "a"]
SimpleDelegator.new(3) <=> 4 # => -1
[SimpleDelegator.new(3)].include?(3) # => true
SimpleDelegator.new({ a: 1 }).fetch(:b) { |k| k } # => :b
error = SystemCallError.new(0)
error == SimpleDelegator.new(error) # => true
RuntimeError.new("a") == SimpleDelegator.new(ArgumentError.new("a")) # => false
RuntimeError.new("a") == Object.new # => false
