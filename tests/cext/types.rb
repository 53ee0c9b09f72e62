# The numbers of types in C: CRuby's, in rb_type and in the objects' first words, because extensions index tables by
# them.
require_relative "fixtures/build"
load_c("types")
point = Struct.new(:x)
all = [Object.new, Class.new, Module.new, 1e300, "s", /r/, [], {}, point.new(1), 2**70, $stdout, Types.data,
       "s".match(/s/), 1i, 1r]
all.map { |value| Types.name_of(value) }.join(" ") # => "object class module float string regexp array hash struct bignum file data match complex rational"
all.map { |value| Types.name_of(value) == Types.builtin(value) }.uniq # => [true]
(all - [$stdout]).map { |value| Types.raw(value) } # => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15]
[nil, true, false, :symbol, 1, 1.5].map { |value| Types.name_of(value) } # => ["nil", "true", "false", "symbol", "fixnum", "float"]
[1..2, proc {}, method(:p), RuntimeError.new, binding, Thread.current, Time.now].map { |value| Types.name_of(value) } # => ["struct", "data", "data", "object", "data", "data", "data"]
all.each_with_index.map { |value, at| Types.is(value, at + 1) }.uniq # => [true]
all.each_with_index.map { |value, at| Types.is(value, (at + 1) % 15 + 1) }.uniq # => [false]
Types.is(1.5, 4) # => true
Types.is(nil, 17) # => true
Types.check("s", 5) # => nil
Types.check("s", 7) # raises TypeError: wrong argument type String (expected Array)
Types.check(nil, 8) # raises TypeError: wrong argument type nil (expected Hash)
Types.check(1, 12) # raises TypeError: wrong argument type Integer (expected Data)
Types.check([], 20) # raises TypeError: wrong argument type Array (expected Symbol)

# What is a struct there has a struct's parts.
Types.part(point.new(5), 0) # => 5
Types.part(point.new(5), 1) # raises IndexError: offset 1 too large for struct(size:1)
(0..2).map { |at| Types.part(1...7, at) } # => [1, 7, true]
Types.part("a".., -2) # => nil
Types.part(1..2, 3) # raises IndexError: offset 3 too large for struct(size:3)
Types.part(1..2, -4) # raises IndexError: offset -4 too small for struct(size:3)
[point.new(1), 1..20, ..nil].map { |value| Types.size(value) } # => [1, 3, 3]

# What C code sees as variables of an exception.
error = IOError.new("first")
error.instance_variable_set(:@own, 1)
Types.variables(error) # => [:mesg, :bt, :@own]
[Types.variable(error, :mesg), Types.variable(error, :bt), Types.variable(error, :@own)] # => ["first", nil, 1]
Types.set_variable(error, :mesg, "second")
Types.set_variable(error, :bt, ["a:1", "b:2"])
[error.message, error.backtrace, error.instance_variables] # => ["second", ["a:1", "b:2"], [:@own]]
Types.set_variable(Object.allocate, :mesg, 3) # => 3
Types.variables(IOError.new) # => [:mesg, :bt]
Types.variable(IOError.new, :mesg) # => nil

# Many variables, and variables that change while C code visits them.
many = Object.new
40.times { many.instance_variable_set("@v#{it}", it) }
Types.variables(many) == many.instance_variables # => true
Types.drop(many).instance_variables # => []
many.instance_variable_set(:@a, nil)
many.instance_variable_set(:@b, 2)
Types.drop(many).instance_variables # => [:@b]

# Names of classes and symbols, which no method of the program changes.
class Told
  def self.to_s = raise("not to be asked")

  def self.name = raise("not to be asked")
end
Types.names(Told.new, :told) # => ["Told", "told", "Told", "Told"]
Types.names(Told.new.tap(&:singleton_class), :"a b").first # => "Told"
Types.names(Class.new.new, :x).then { |name, _, path, cached| [name == path, name[0, 10], cached] } # => [true, "#<Class:0x", nil]
5_000.times.all? { |i| Types.names(1, :"name #{i}")[1] == "name #{i}" } # => true

# A Data object is a struct, too, though it has no `[]`.
pair = Data.define(:one, :two) do
  def to_h = {}
end.new(1, 2)
(-2..1).map { |at| Types.part(pair, at) } # => [1, 2, 1, 2]
Types.part(pair, :two) # => 2
Types.part(pair, "one") # => 1
Types.part(pair, 2) # raises IndexError: offset 2 too large for struct(size:2)
Types.part(pair, -3) # raises IndexError: offset -3 too small for struct(size:2)
Types.part(pair, :three) # raises NameError: no member 'three' in struct

# What is data in CRuby and made of Ruby code here: Enumerators and their kin, with classes of a program's own, ARGF,
# ENV.
own = Class.new(Enumerator)
plain = [1].each
def plain.mine = 1
family = [[1].each, Enumerator.new {}, [1].lazy, [1].each + [2], 1.step(10, 2), Enumerator.produce(1, &:succ),
          Enumerator::Product.new([1]), own.new {}, plain]
family.map { |value| Types.name_of(value) }.uniq # => ["data"]
[Enumerator::Generator.new {}, Enumerator::Yielder.new {}, ARGF, ENV].map { |value| Types.name_of(value) }.uniq # => ["data"]
family.map { |value| [Types.is(value, 12), Types.is(value, 1)] }.uniq # => [[true, false]]
[Object.new, Class.new.new, Comparable.clone, Object.new.singleton_class].map { |value| Types.name_of(value) } # => ["object", "object", "module", "class"]
Types.check([1].each, 1) # raises TypeError: wrong argument type Enumerator (expected Object)

# The first words of an Enumerator.
Types.enumerated((1..3).each) # => [1..3, :each, false]
Types.enumerated((1..3).each_slice(2)) # => [1..3, :each_slice, [2]]
stepping = "abc".each_char
[Types.enumerated(stepping.dup), Types.enumerated(stepping), Types.enumerated(stepping.dup.freeze)].uniq # => [["abc", :each_char, false]]
500.times.map { |i| Types.enumerated([i].each_with_index)[0] } == 500.times.map { |i| [i] } # => true
stepping.next # => "a"
stepping.instance_variables # => []
