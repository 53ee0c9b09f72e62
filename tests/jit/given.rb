# Blocks that are handed on, super, and aliases in compiled code.

class Base
  def plain(a) = [:base, a]
  def block(a) = [a, yield(a)]
  def none = block_given?
  def optional(a, b = 2, c: 3) = [a, b, c]
  def to_s = "base"
  def initialize(a) = @a = a
  attr_reader :a
end

class Derived < Base
  def plain(a) = [:derived, super]
  def block(a, &block) = super
  def none = super()
  def optional(a, b = 5, c: 7) = super
  def to_s = "derived " + super
  def initialize(a) = super(a + 1)
end

class Further < Derived
  def plain(a) = [:further, *super(a + 1)]
  def block(a) = super { |x| yield(x) * 2 }
  def none(&block) = super(&block)
end

results = 200.times.map do |i|
  object = i.even? ? Derived.new(i) : Further.new(i)
  [object.plain(1), object.block(4) { |x| x + 1 }, object.none, object.none { }, object.optional(1),
   object.optional(1, 2), object.optional(1, c: 0), object.to_s, object.a - i]
end
results.uniq # => [[[:derived, [:base, 1]], [4, 5], false, true, [1, 5, 7], [1, 2, 7], [1, 5, 0], "derived base", 1], [[:further, :derived, [:base, 2]], [4, 10], false, true, [1, 5, 7], [1, 2, 7], [1, 5, 0], "derived base", 1]]

# Handed on as it is, made an object of, converted.
class Conversions
  attr_reader :count
  def initialize = @count = 0
  def to_proc
    @count += 1
    ->(x) { x * 100 }
  end
end

def last(list) = list.map { |x| yield x }
def middle(list, &block) = last(list, &block)
def first(list, &) = middle(list, &)
def native(list, &block) = list.map(&block)
def object(list, &block)
  block.call(0)
  last(list, &block)
end
def missing(list, &block) = [list, block]

conversion = Conversions.new
seen = 100.times.map do
  [first([1, 2]) { |x| x + 1 }, native([1]) { |x| [x] }, object([3]) { |x| -x }, first([1, 2], &:to_s),
   native([1, 2], &:succ), first([1], &conversion), native([2], &conversion),
   missing([1]), missing([1], &nil), native([5], &method(:Integer))]
end
seen.uniq # => [[[2, 3], [[1]], [-3], ["1", "2"], [2, 3], [100], [200], [[1], nil], [[1], nil], [5]]]
conversion.count # => 200

# What is no block.
def hands(value) = last([1], &value)
50.times { hands(:succ) }
begin
  hands(5)
rescue TypeError => error
  error.message # => "no implicit conversion of Integer into Proc"
end
hands(->(x) { x + 7 }) # => [8]

# break and return out of blocks that are handed on.
def breaks(list) = first(list) { |x| break x * 10 if x > 1 }
def returns(list)
  first(list) { |x| return [:returned, x] if x > 1 }
  :none
end
100.times.map { [breaks([1, 2, 3]), returns([1, 2, 3]), returns([1])] }.uniq # => [[20, [:returned, 2], :none]]

# A super that is defined, redefined or goes away meanwhile.
def call(object) = object.plain(1)
derived = Derived.new(1)
100.times { call(derived) }
class Base
  def plain(a) = [:changed, a]
end
call(derived) # => [:derived, [:changed, 1]]
Derived.include(Module.new { def plain(a) = [:module, *super] })
call(derived) # => [:derived, [:module, :changed, 1]]
class Base
  undef_method :plain
end
begin
  call(derived)
rescue NoMethodError => error
  error.message # => "super: no superclass method 'plain' for an instance of Derived"
end

# A module's method, whose super depends on the class.
module Counts
  def size = super + 1
end
lists = [Class.new(Array) { include Counts }, Class.new(Hash) { include Counts }, Class.new(String) { include Counts }]
lists.each { |list| list.prepend(Counts) }
100.times.map { |i| lists[i % 3].new.size }.uniq # => [2]

# Aliases are what they stand for.
class Aliases
  def one(a, b = 2) = [__method__, a, b]
  alias two one
  alias_method :three, :two
  attr_accessor :value
  alias contents value
  alias contents= value=
  alias text to_s
  def hidden = 1
  private :hidden
end
class Shown < Aliases
  public :hidden
end
aliases, shown = Aliases.new, Shown.new
100.times.map { aliases.contents = 4; [aliases.two(1), aliases.three(3, 4), aliases.contents, shown.hidden] }.uniq # => [[[:one, 1, 2], [:one, 3, 4], 4, 1]]
class Aliases
  def hidden = 2
  def one(*) = :changed
end
shown.hidden # => 2
aliases.two(1) # => [:one, 1, 2]
