class A
  def initialize(a, b: 2) = (@a, @b = a, b)
  def initialize_copy(o) = (@copied = true)
end
A.new(1).inspect.sub(/0x\h+/, "0x") # => "#<A:0x @a=1, @b=2>"
A.new # raises ArgumentError: wrong number of arguments (given 0, expected 1)
A.new(1, c: 3) # raises ArgumentError: unknown keyword: :c
A.new(1).dup.instance_variable_get(:@copied) # => true
A.new(1).initialize(2) # raises NoMethodError: private method 'initialize' called for an instance of A
Object.new(1) # raises ArgumentError: wrong number of arguments (given 1, expected 0)
class B; end
B.new(1, 2) # raises ArgumentError: wrong number of arguments (given 2, expected 0)
class C
  def self.new(*a) = [:custom, a]
end
C.new(1) # => [:custom, [1]]
