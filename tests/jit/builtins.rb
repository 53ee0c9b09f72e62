# Methods of core classes that compiled code does by itself.
# flags: --jit-threshold=2

# Runs the block often enough for it to be compiled, and once more after the change.
def before_and_after(change)
  before = Array.new(20) { yield }.uniq
  change.call
  [before, Array.new(5) { yield }.uniq]
end

class Animal
  def name = "animal"
  protected def guarded = 1
  private def hidden = 2
end
class Dog < Animal; end

def responses(object)
  [object.respond_to?(:name), object.respond_to?(:guarded), object.respond_to?(:hidden), object.respond_to?(:bark),
   object.respond_to?(:bark, true)]
end
Array.new(20) { responses(Animal.new) }.uniq # => [[true, false, false, false, false]]
dog = Dog.new
before_and_after(-> { Animal.define_method(:bark) { "bow" } }) { responses(dog) } # => [[[true, false, false, false, false]], [[true, false, false, true, true]]]
before_and_after(-> { Animal.send(:undef_method, :bark) }) { responses(dog) } # => [[[true, false, false, true, true]], [[true, false, false, false, false]]]
before_and_after(-> { def dog.bark = 1 }) { responses(dog) } # => [[[true, false, false, false, false]], [[true, false, false, true, true]]]
other = Dog.new
before_and_after(-> { Dog.class_eval { def respond_to_missing?(name, all) = name == :bark && !all } }) { responses(other) } # => [[[true, false, false, false, false]], [[true, false, false, true, false]]]
third = Dog.new
before_and_after(-> { Dog.class_eval { def respond_to?(name, all = false) = name } }) { responses(third) } # => [[[true, false, false, true, false]], [[:name, :guarded, :hidden, :bark, :bark]]]
def responses_in_loop(object, n)
  list = []
  i = 0
  while i < n
    list << object.respond_to?(:later)
    Animal.class_eval { def later = 1 } if i == 5
    i += 1
  end
  list
end
responses_in_loop(Animal.new, 8) # => [false, false, false, false, false, false, true, true]
def chosen(object, flag)
  name = flag ? :name : :nothing
  [object.respond_to?(flag ? :name : :nothing), object.respond_to?(name), object.respond_to?(flag && :name || :nothing)]
end
Array.new(8) { chosen(Animal.new, it.even?) }.uniq # => [[true, true, true], [false, false, false]]
def to_name(object, name) = object.respond_to?(name)
[:name, "name", :hidden, "nothing"].map { to_name(Animal.new, it) } * 3 # => [true, true, false, false, true, true, false, false, true, true, false, false]
def response_as_condition(object) = object.respond_to?(:name) ? object.name : :none
[Animal.new, 1, nil, Animal.new, :a].map { response_as_condition(it) } # => ["animal", :none, :none, "animal", "a"]

module Feature; end
class Cat < Animal; include Feature; end
def kinds(object)
  [object.is_a?(Animal), object.kind_of?(Dog), object.is_a?(Feature), object.instance_of?(Animal),
   object.instance_of?(Cat), Animal === object, Feature === object,
   object.is_a?(Object), object.is_a?(Comparable), object.class, object.nil?, object.frozen?,
   object.itself.equal?(object)]
end
Array.new(20) { kinds(Animal.new) }.uniq # => [[true, false, false, true, false, true, false, true, false, Animal, false, false, true]]
Array.new(20) { kinds(Cat.new) }.uniq # => [[true, false, true, false, true, true, true, true, false, Cat, false, false, true]]
[1, 1.5, :a, nil, true, "s", [1].freeze, 1 << 70, 1..2, false].map { kinds(it)[8..] } # => [[true, Integer, false, true, true], [true, Float, false, true, true], [true, Symbol, false, true, true], [false, NilClass, true, true, true], [false, TrueClass, false, true, true], [true, String, false, false, true], [false, Array, false, true, true], [true, Integer, false, true, true], [false, Range, false, true, true], [false, FalseClass, false, true, true]]
late = Animal.new
before_and_after(-> { Animal.include(Comparable) }) { late.is_a?(Comparable) } # => [[false], [true]]
before_and_after(-> { late.freeze }) { late.frozen? } # => [[false], [true]]
before_and_after(-> { Animal.class_eval { def nil? = :maybe } }) { late.nil? } # => [[false], [:maybe]]
before_and_after(-> { Animal.class_eval { def is_a?(c) = :never } }) { late.is_a?(Animal) } # => [[true], [:never]]
before_and_after(-> { Animal.class_eval { def class = :mine } }) { Animal.new.class } # => [[Animal], [:mine]]
before_and_after(-> { Animal.singleton_class.define_method(:===) { |_| :eq } }) { Animal === 1 } # => [[false], [:eq]]
def wrong(object, what) = object.is_a?(what)
(Array.new(9) { wrong(1, it < 8 ? Integer : 3) } rescue $!.message) # => "class or module required"

def which(object)
  case object
  when Integer then :integer
  when Float then :float
  when Symbol then :symbol
  when nil then :nil
  when true, false then :truth
  when String then :string
  when NilClass then :never
  when Numeric then :number
  when Array, Hash then :collection
  when Module then :module
  else :other
  end
end
[1, 1.5, 1e300, :a, nil, true, false, "s", 2i, [], {}, Object, 1 << 80, 1..2].map { which(it) } * 2 # => [:integer, :float, :float, :symbol, :nil, :truth, :truth, :string, :number, :collection, :collection, :module, :integer, :other, :integer, :float, :float, :symbol, :nil, :truth, :truth, :string, :number, :collection, :collection, :module, :integer, :other]
class Text < String; end
[Text.new, "a", Class.new(Array).new, Object.new].map { which(it) } * 2 # => [:string, :string, :collection, :other, :string, :string, :collection, :other]

class Plain; end
class Equal
  attr_reader :n
  def initialize(n) = @n = n
  def ==(other) = n == other.n
end
def same(a, b) = [a == b, a != b, a.equal?(b), a.eql?(b), !a, !b, a == b ? 1 : 2, a != b ? 1 : 2]
a, b = Plain.new, Plain.new
Array.new(20) { same(a, a) + same(a, b) }.uniq # => [[true, false, true, true, false, false, 1, 2, false, true, false, false, false, false, 2, 1]]
Array.new(20) { same(Equal.new(1), Equal.new(1)) }.uniq # => [[true, false, false, false, false, false, 1, 2]]
[nil, false, true, 1, 1.5, "s", :s].map { |x| same(x, x)[0, 2] + same(x, nil)[0, 2] } * 2 # => [[true, false, true, false], [true, false, false, true], [true, false, false, true], [true, false, false, true], [true, false, false, true], [true, false, false, true], [true, false, false, true], [true, false, true, false], [true, false, false, true], [true, false, false, true], [true, false, false, true], [true, false, false, true], [true, false, false, true], [true, false, false, true]]
before_and_after(-> { Plain.class_eval { def ==(other) = :like } }) { [a == b, a != b] } # => [[[false, true]], [[:like, false]]]
before_and_after(-> { Plain.class_eval { def !=(other) = :unlike } }) { [a == b, a != b, (a != b ? 3 : 4)] } # => [[[:like, false, 4]], [[:like, :unlike, 3]]]
before_and_after(-> { Plain.class_eval { def ! = :not } }) { [!a, (!a ? 1 : 2), (not a)] } # => [[[false, 2, false]], [[:not, 1, :not]]]

def given = block_given?
def given_twice = block_given? ? yield : 0
def given_inside = [1].map { block_given? }
def hands_on(&) = given(&)
def no_block
  [given, given { 1 }, given_twice, given_twice { 5 }, given_inside, given_inside {}, hands_on, hands_on {},
   given(&nil), given(&:a)]
end
Array.new(20) { no_block }.uniq # => [[false, true, 0, 5, [false], [true], false, true, false, true]]
def asks_in_block = yield
def asks = asks_in_block { block_given? }
Array.new(8) { [asks, asks {}] }.uniq # => [[false, true]]
before_and_after(-> { def block_given? = :own }) { given } # => [[false], [:own]]
class Object; remove_method :block_given?; end

class Holder
  def initialize = @x = 1
  def read = instance_variable_get(:@x)
  def unset = instance_variable_get(:@y)
  def write(v) = instance_variable_set(:@x, v)
  def bad = instance_variable_get(:x)
end
def held(n)
  holder = Holder.new
  i = 0
  while i < n
    holder.write(holder.read + 1)
    i += 1
  end
  [holder.read, holder.unset, holder.write(3)]
end
held(3) # => [4, nil, 3]
held(300) # => [301, nil, 3]
(Array.new(9) { Holder.new.bad } rescue $!.message) # => "'x' is not allowed as an instance variable name"
(Array.new(9) { |i| Holder.new.tap { |h| h.freeze if i == 7 }.write(2) } rescue $!.class) # => FrozenError
[Class.new { @x = 4 }, "s".dup, [], Holder.new].map { |o| o.instance_variable_get(:@x) } * 2 # => [4, nil, nil, 1, 4, nil, nil, 1]

def integers(n)
  [n.succ, n.next, n.pred, n.even?, n.odd?, n.zero?, n.abs, n.magnitude, n.integer?, n.to_i, n.to_int, n.ord, n.to_f,
   ~n, n <=> 3, n <=> 2.5, n <=> nil, Integer === n, n === 3]
end
[0, 3, -4].map { integers(it) } # => [[1, 1, -1, true, false, true, 0, 0, true, 0, 0, 0, 0.0, -1, -1, -1, nil, true, false], [4, 4, 2, false, true, false, 3, 3, true, 3, 3, 3, 3.0, -4, 0, 1, nil, true, true], [-3, -3, -5, true, false, false, 4, 4, true, -4, -4, -4, -4.0, 3, -1, -1, nil, true, false]]
Array.new(30) { integers(5) }.uniq # => [[6, 6, 4, false, true, false, 5, 5, true, 5, 5, 5, 5.0, -6, 1, 1, nil, true, false]]
limits = [2**62 - 1, -2**62, 2**62, 2**70, -2**70 + 1]
limits.map { integers(it)[0, 8] } # => [[4611686018427387904, 4611686018427387904, 4611686018427387902, false, true, false, 4611686018427387903, 4611686018427387903], [-4611686018427387903, -4611686018427387903, -4611686018427387905, true, false, false, 4611686018427387904, 4611686018427387904], [4611686018427387905, 4611686018427387905, 4611686018427387903, true, false, false, 4611686018427387904, 4611686018427387904], [1180591620717411303425, 1180591620717411303425, 1180591620717411303423, true, false, false, 1180591620717411303424, 1180591620717411303424], [-1180591620717411303422, -1180591620717411303422, -1180591620717411303424, false, true, false, 1180591620717411303423, 1180591620717411303423]]
limits.map { integers(it)[12..15] } # => [[4.611686018427388e+18, -4611686018427387904, 1, 1], [-4.611686018427388e+18, 4611686018427387903, -1, -1], [4.611686018427388e+18, -4611686018427387905, 1, 1], [1.1805916207174113e+21, -1180591620717411303425, 1, 1], [-1.1805916207174113e+21, 1180591620717411303422, -1, -1]]
(limits * 5).map { integers(it)[0] }.uniq.size # => 5
def count_even(n)
  count = i = 0
  while i < n
    count += 1 if i.even?
    count += 10 unless i.zero?
    i = i.succ
  end
  count
end
count_even(4) # => 32
count_even(400) # => 4190
before_and_after(-> { Integer.class_eval { def even? = :even } }) { 3.even? } # => [[false], [:even]]

def floats(x)
  [x.zero?, x.positive?, x.negative?, x.nan?, x.abs, x.magnitude, x.to_f, (x.to_i rescue $!.message),
   (x.floor rescue $!.message), (x.truncate rescue $!.class)]
end
[0.0, 1.5, -1.5, -2.0, 1e30, -0.0].map { floats(it) } # => [[true, false, false, false, 0.0, 0.0, 0.0, 0, 0, 0], [false, true, false, false, 1.5, 1.5, 1.5, 1, 1, 1], [false, false, true, false, 1.5, 1.5, -1.5, -1, -2, -1], [false, false, true, false, 2.0, 2.0, -2.0, -2, -2, -2], [false, true, false, false, 1.0e+30, 1.0e+30, 1.0e+30, 1000000000000000019884624838656, 1000000000000000019884624838656, 1000000000000000019884624838656], [true, false, false, false, 0.0, 0.0, -0.0, 0, 0, 0]]
[Float::NAN, Float::INFINITY, -Float::INFINITY].map { floats(it).values_at(0, 1, 2, 3, 7, 8, 9) } # => [[false, false, false, true, "NaN", "NaN", FloatDomainError], [false, true, false, false, "Infinity", "Infinity", FloatDomainError], [false, false, true, false, "-Infinity", "-Infinity", FloatDomainError]]
edges = [2.0**61, 2.0**61 - 256, -(2.0**61), -(2.0**61) - 1024, 4611686018427387904.0, 1e-320, -1e-320]
edges.map { floats(it)[7, 2] } # => [[2305843009213693952, 2305843009213693952], [2305843009213693696, 2305843009213693696], [-2305843009213693952, -2305843009213693952], [-2305843009213694976, -2305843009213694976], [4611686018427387904, 4611686018427387904], [0, 0], [0, -1]]
def half_sum(n)
  sum = 0
  i = 0.0
  while i < n
    sum += (i / 2).floor + (-i / 2).to_i
    i += 1
  end
  sum
end
half_sum(9) # => 0
half_sum(90.5) # => 0

def ends(list) = [list.first, list.last, list.size, list.length, list.empty?]
[[1], [1, 2, 3], [], Array.new(50, 7), [nil]].map { ends(it) } * 2 # => [[1, 1, 1, 1, false], [1, 3, 3, 3, false], [nil, nil, 0, 0, true], [7, 7, 50, 50, false], [nil, nil, 1, 1, false], [1, 1, 1, 1, false], [1, 3, 3, 3, false], [nil, nil, 0, 0, true], [7, 7, 50, 50, false], [nil, nil, 1, 1, false]]
class Row < Array; end
Array.new(9) { ends(Row[1, 2]) }.uniq # => [[1, 2, 2, 2, false]]
before_and_after(-> { Row.class_eval { def size = super + 1 } }) { ends(Row[1, 2]) } # => [[[1, 2, 2, 2, false]], [[1, 2, 3, 2, false]]]

# What the program calls otherwise means the same.
class Plain
  alias_method :kind, :class
  alias_method :missing?, :nil?
  define_method(:nothing?, Kernel.instance_method(:nil?))
end
Array.new(8) { [a.kind, a.missing?, a.nothing?] }.uniq # => [[Plain, false, false]]

# Bytes of strings.
def bytes(string, at) = [string.getbyte(at), string.bytesize, string.empty?]
long = "x" * 100 + "é"
30.times.map { ["ab", long, "", :ab.to_s].flat_map { |s| [0, 1, 101, 102, -1, 2**70 >> 64].map { |at| bytes(s, at) } } }.uniq.size # => 1
bytes("ab", 1) # => [98, 2, false]
[bytes(long, 100), bytes(long, 101), bytes(long, 102), bytes(long, -1)].map(&:first) # => [195, 169, nil, 169]
bytes("", 0) # => [nil, 0, true]
bytes("abc", 1.9).first # => 98
bytes(Class.new(String).new("q"), 0) # => [113, 1, false]
(bytes("a", nil) rescue $!.message) # => "no implicit conversion from nil to integer"
before_and_after(-> { String.class_eval { def getbyte(n) = :mine } }) { "a".getbyte(0) } # => [[97], [:mine]]
