# Copies ask `initialize_dup`, `initialize_clone` and `initialize_copy` that a program defines, at whatever time and
# place.
class Plain
  attr_accessor :a, :b
  def initialize(a, b) = (@a, @b = a, b)
end
def copies(object) = [object.dup, object.clone, object.clone(freeze: false), object.clone(freeze: true)]

plain = Plain.new(1, [2])
copies(plain).map { [it.a, it.b, it.frozen?, it.b.equal?(plain.b)] } # => [[1, [2], false, true], [1, [2], false, true], [1, [2], false, true], [1, [2], true, true]]
plain.freeze
copies(plain).map(&:frozen?) # => [false, true, false, true]
copies(plain).map { it.a = 3; it.a } rescue $!.class # => FrozenError
plain.dup.tap { it.a = 3 }.a # => 3
plain.a # => 1

# Variables that were removed, and many of them.
some = Plain.new(1, 2)
some.remove_instance_variable(:@a)
some.dup.instance_variables # => [:@b]
some.dup.tap { it.a = 5 }.instance_variables # => [:@b, :@a]
40.times { some.instance_variable_set("@v#{it}", it) }
some.dup.instance_variables == some.instance_variables # => true
some.clone.instance_variable_get(:@v39) # => 39
some.dup.tap { it.instance_variable_set(:@more, 1) }.instance_variables.size # => 42
some.instance_variables.size # => 41
Object.new.dup.instance_variables # => []

# A class of its own is copied by clone alone.
def some.hello = 1
some.clone.hello # => 1
some.dup.respond_to?(:hello) # => false
some.clone.b # => 2

class Plain
  private def initialize_copy(other)
    super
    @a = [:copy, other.a]
  end
end
copies(plain.clone(freeze: false)).map(&:a) # => [[:copy, [:copy, 1]], [:copy, [:copy, 1]], [:copy, [:copy, 1]], [:copy, [:copy, 1]]]
class Plain
  def initialize_dup(other) = (super; @b = :dup)
  def initialize_clone(other, freeze: nil) = (super; @b = [:clone, freeze])
end
copies(Plain.new(1, 2)).map(&:b) # => [:dup, [:clone, nil], [:clone, false], [:clone, true]]
copies(Plain.new(1, 2)).map(&:a) # => [[:copy, 1], [:copy, 1], [:copy, 1], [:copy, 1]]
class Plain
  undef_method :initialize_copy
end
Plain.new(1, 2).dup rescue $!.class # => NoMethodError

# Methods of all objects.
class Other
  attr_accessor :x
end
Other.new.dup.x # => nil
module Kernel
  alias __initialize_copy_before initialize_copy
  private def initialize_copy(other)
    @x = :kernel if Other === self
    __initialize_copy_before(other)
  end
end
[Other.new.dup.x, Other.new.clone.x, Other.new.clone(freeze: true).x] # => [:kernel, :kernel, :kernel]

# Those of Hash and Array.
class Counting < Hash
  def initialize_copy(other)
    super
    self[:copied] = true
  end
end
Counting[a: 1].dup # => {a: 1, copied: true}
Counting[a: 1].clone # => {a: 1, copied: true}
hash = Hash.new { |h, k| k }.merge!({ a: 1 })
[hash.dup, hash.dup[:z], hash.clone, hash.clone[:z], hash.clone(freeze: true).frozen?] # => [{a: 1}, :z, {a: 1}, :z, true]
[[1, [2]].clone, [1].freeze.clone.frozen?, [1].freeze.dup.frozen?, [1].clone(freeze: true).frozen?] # => [[1, [2]], true, false, true]

# Calls that are traced are made.
calls = []
TracePoint.new(:c_call) { calls << it.method_id }.enable { Object.new.dup }
calls & %i[dup initialize_dup initialize_copy] # => [:dup, :initialize_dup, :initialize_copy]
