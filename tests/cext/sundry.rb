# What little else extensions ask for.
require_relative "fixtures/build"
load_c("sundry")

# A table that grows while it is walked: the walk goes on behind the same entry, or says that this is gone.
Sundry.walk_and_grow(0) == [[*0...32], 0, 32] # => true
Sundry.walk_and_grow(1) # => [[0, :gone], 1, 31]
Sundry.walk_and_grow(2) == [[*0...32], 0, 29] # => true
Sundry.grow(0) == [[*0...32], 32] # => true
Sundry.grow(1) # => [[0], 31]
Sundry.grow(2) == [[*0...32], 29] # => true

Point = Struct.new(:x)
Pair = Data.define(:left)
Sundry.member(Point.new(3), :x) # => 3
Sundry.member(Pair.new(4), "left") # => 4
Sundry.member(Point.new(3), :y) # raises NameError: 'y' is not a struct member
Sundry.member(Pair.new(3), :y) # raises NameError: 'y' is not a struct member

class Base < Data; def sum = first + second; end
Sundry.data_class(Base).new(1, 2).sum # => 3
Sundry.data_class(Base).superclass # => Base
Sundry.data_class(Data.define).new(1, 2).first # => 1
Sundry.data_class(Data).members # => [:first, :second]

Sundry.quoted("a\n\"b\\#{}\e") # => "[a\\n\\\"b\\\\\\e]"
Sundry.quoted("\#{x} \#$y #z") # => "[\#{x} \#$y #z]"
Sundry.quoted("grün") # => "[grün]"
Sundry.quoted(:sym) # => "[sym]"
Sundry.quoted(nil) # => "[]"

# Addresses have all their digits.
Sundry.address(0xabc).tr("x", "_") # => "0_0000000000000abc|    0_0000000000000abc|0_0000000000000abc    |0_0000000000000abc  "
Sundry.address(0)[0, 18].tr("x", "_") # => "0_0000000000000000"
Sundry.address_in_c(0xabc)[0].tr("x", "_") # => "0_0000000000000abc|    0_0000000000000abc|0_0000000000000abc    |0_0000000000000abc  |42% %p p"
Sundry.address_in_c(0xabc)[1..] # => [18, "0x00000"]

# What C code writes to the stream of an IO is there when the IO is closed.
IO.pipe { |reader, writer| [Sundry.written(writer), writer.close, reader.read] } # => [5, nil, "hello"]

Sundry.encoded(+"grün", Encoding::BINARY).valid_encoding? # => true
Sundry.encoded("grün".freeze, Encoding::UTF_8) # raises FrozenError: can't modify frozen String: "grün"
Sundry.shortened("foobar", 5) # => "fo..."
Sundry.shortened("foobar", 2) # => ".."
Sundry.shortened("foobar", 6) # => "foobar"
Sundry.shortened("foobar".encode("utf-16le"), 4) == "f...".encode("utf-16le") # => true
Sundry.shortened("foobar", -1) # raises IndexError: negative length -1

# The program in a C string sees what the caller sees.
def outside = self
def with_locals(a) = Sundry.evaluated("a += 1; [a, __method__, outside.equal?(self)]")
with_locals(1) # => [2, :with_locals, true]
[5].map { |element| Sundry.evaluated("element * 2") } # => [10]
Sundry.evaluated("no_such_thing") # raises NameError: undefined local variable or method 'no_such_thing' for main

Sundry.state(__FILE__).class # => File::Stat
Sundry.state(__FILE__) == File.stat(__FILE__) # => true
Sundry.state(__FILE__).size == File.size(__FILE__) # => true
Sundry.both_kinds # raises TypeError: Can not specify normal event and internal event simultaneously.

[1, 1.5, "1", nil].map { Sundry.to_float(it) } # => [1.0, 1.5, nil, nil]
[1, 1.5, "1", nil].map { Sundry.to_int(it) } # => [1, 1, nil, nil]
Sundry.to_fixnum(3.7) # => 3
Sundry.to_fixnum(2**62) # raises RangeError: integer 4611686018427387904 out of range of fixnum
[1.method(:+), proc {}, Integer.instance_method(:+)].map { Sundry.is_method(it) } # => [true, false, false]
[[1, 2], [2, 1], [1, 1], [1, Float::NAN]].map { |a, b| Sundry.compared(a, b) } # => [-1, 1, 0, nil]
Sundry.below(String).superclass # => String
Sundry.below(3) # raises TypeError: superclass must be an instance of Class (given an instance of Integer)
Sundry.below(Class) # raises TypeError: can't make subclass of Class
Sundry.below(Class.new.singleton_class) # raises TypeError: can't make subclass of singleton class
Sundry.signal_name(2) # => "INT"
Sundry.signal_name(99) # => nil
Sundry.spawned("exit 3").exitstatus # => 3
Sundry.spawned("/no/such/program", "x") # => [2, "No such file or directory - /no/such/program"]

# An object that is met again ends the outermost call.
object = Object.new
def object.deeper
  Sundry.recursive_outer(self, :deeper)
  raise "not reached"
end
Sundry.recursive_outer(object, :deeper) # => :again
def object.other = Sundry.recursive_outer(Object, :name)
Sundry.recursive_outer(object, :other) # => "Object"
Sundry.recursive_outer(object, :missing) # raises NoMethodError: undefined method 'missing' for #<Object:0xXX>
Sundry.recursive_outer(object, :deeper) # => :again
# A collection meets the block of a C function whose data is an address of its own and no object.
def object.collects = GC.start.inspect
Sundry.recursive_outer(object, :collects) # => "nil"

# A fiber that is left behind within such a call has no part in those of others.
def object.left = Fiber.yield(:yielded)
Fiber.new { Sundry.recursive_outer(object, :left) }.resume # => :yielded
another = object.clone
Sundry.recursive_outer(another, :deeper) # => :again

# What a system lacks is there and is not responded to.
Sundry.lacking # raises NotImplementedError: lacking() function is unimplemented on this machine
Sundry.respond_to?(:lacking) # => false
Sundry.method(:lacking).inspect # => "#<Method: Sundry.lacking(*) (not-implemented)>"
Sundry.instance_method(:lacks).inspect # => "#<UnboundMethod: Sundry#lacks(*) (not-implemented)>"
Sundry.instance_methods(false) # => [:lacks]
Sundry.method_defined?(:lacks) # => false
Sundry.method_defined?(:lacks, false) # => false

# An allocator that comes later is that of the descendants, too, which have used another before;
# not of those that have one of their own.
Ground = Class.new
Middle = Class.new(Ground)
Low = Class.new(Middle)
Own = Class.new(Middle)
kinds = -> { [Ground, Middle, Low, Own].map { |klass| klass.allocate.instance_variable_get(:@kind) } }
kinds.() # => [nil, nil, nil, nil]
Sundry.allocates(Own, :second)
kinds.() # => [nil, nil, nil, :second]
Sundry.allocates(Ground, :first)
kinds.() # => [:first, :first, :first, :second]
Sundry.allocates(Middle, :second)
kinds.() # => [:first, :second, :second, :second]
Sundry.allocates(Ground, nil)
Ground.allocate # raises TypeError: allocator undefined for Ground
Low.allocate.instance_variable_get(:@kind) # => :second
Sundry.allocates(Middle, nil)
Low.new # raises TypeError: allocator undefined for Low
Own.allocate.instance_variable_get(:@kind) # => :second
