# The Ruby parts of native methods do not show in backtraces, the native methods themselves do.
# needs: 4.0
def labels
  yield
rescue RuntimeError => e
  e.backtrace_locations.map(&:label).take_while { |label| label != "Object#labels" }
end

labels { Array.new(3) { raise } } # => ["block (2 levels) in <main>", "Array#initialize", "block in <main>"]
labels { [1, 2].fill { raise } }  # => ["block (2 levels) in <main>", "Array#fill", "block in <main>"]

# Ruby's own names between underlines are no helpers.
require "delegate"
begin
  Class.new(Delegator).allocate.method(:__getobj__).call
rescue NotImplementedError => e
  e.backtrace_locations.map(&:label) # => ["Delegator#__getobj__", "Method#call", "<main>"]
end

# What the runtime's parts in Ruby call by themselves cannot be called ...
[1].send(:__tally, 5)       # raises NoMethodError: undefined method '__tally' for an instance of Array
{}.send(:__count, 5, 5)     # raises NoMethodError: undefined method '__count' for an instance of Hash
Ractor.send(:__select, 5)   # raises NoMethodError: undefined method '__select' for class Ractor
[1, 2].send(:__draw, 1 << 40, 1 << 40) # raises NoMethodError: undefined method '__draw' for an instance of Array
[].method(:__filter)        # raises NameError: undefined method '__filter' for class 'Array'
Array.instance_method(:__at) # raises NameError: undefined method '__at' for class 'Array'
Primitive                   # raises NameError: uninitialized constant Primitive
eval("Primitive.array_len(1)", nil, "<internal:array>") # raises NameError: uninitialized constant Primitive
Array.class_eval("def foreign = __fill_by_block(0, 1) { 2 }", "<internal:array>")
[1].foreign                 # raises NoMethodError: undefined method '__fill_by_block' for an instance of Array

# ... nor replaced ...
class Hash; def __len = 0; end
{ a: 1 }.any?                # => true
module Enumerable; def __to_index(x) = :evil; end
(1..3).each_slice(2).to_a    # => [[1, 2], [3]]
module Kernel
  def __enum(*) = :evil
  def __fetch(*) = :evil
end
[[1].each.class, [1].fetch(1, 2)] # => [Enumerator, 2]
class Hash; remove_method :__len; end
module Enumerable; remove_method :__to_index; end
module Kernel; remove_method :__enum, :__fetch; end

# ... nor seen.
[[].respond_to?(:__len, true), Array.private_method_defined?(:__tally), [].respond_to?(:__filter, true)] # => [false, false, false]
Enumerator::Yielder.instance_methods(false).sort # => [:<<, :to_proc, :yield]
own = %i[__send__ __id__ __method__ __dir__ __callee__ __getobj__ __setobj__ __raise__]
%w[monitor delegate set stringio date json zlib socket io/console pty timeout etc digest strscan bigdecimal pathname
   objspace coverage pstore].each { require it }
shown = ObjectSpace.each_object(Module).flat_map do |m|
  all = m.instance_methods(false) + m.private_instance_methods(false)
  all.select { |name| name.start_with?("__") } - own
end
shown.uniq # => []
marks = Symbol.all_symbols.size
Symbol.all_symbols.count(:__each_of) < 2 # => true
error = ([].fetch(3) rescue $!)
[error.instance_variables, [1].each.instance_variables, (1..2).step(1).instance_variables, [1].lazy.map {}.instance_variables] # => [[], [], [], []]
e = [1, 2].each
e.instance_variable_set(:@__receiver, [9])
e.to_a # => [1, 2]
e.instance_variable_get(:@__meth) # => nil
frozen = (raise KeyError.new("x", receiver: 1, key: 2) rescue $!)
frozen.instance_variable_set(:@__key, 3)
frozen.key # => 2
ids = Symbol.all_symbols.map(&:object_id).minmax
(ids[0]..ids[1]).step(256).filter_map { |id| ObjectSpace._id2ref(id) rescue nil }.grep(Symbol).select { it == :__each_of && !it.equal?(:__each_of) } # => []

# Objects without any method iterate as all others do.
class Bare < BasicObject
  def each
    yield 1
    yield 2
  end
end
Bare.include(Enumerable)
%i[map select sum sort to_a each_slice inject min tally each_with_index zip].map { |name| Enumerable.instance_method(name).bind_call(Bare.new, *(1 if name == :each_slice)) { |*x| 1 } }.size # => 11
list = [3, 1]
class << list
  kept = %i[__send__ __id__ object_id initialize equal? inspect singleton_method_undefined]
  (instance_methods + private_instance_methods - kept).each { |name| undef_method(name) }
end
Array.instance_method(:map).bind_call(list) { |x| x + 1 } # => [4, 2]
Array.instance_method(:select!).bind_call(list) { |x| x > 1 }.equal?(list) # => true

# Methods that are handed on by name are hidden, too.
trace = []
TracePoint.new(:c_call, :call) { |t| trace << t.method_id }
  .enable { [1, 2].each_slice(1).to_a; [3].fill { 1 }; {a: 1}.any? }
trace.select { |name| name.start_with?("__") } # => []
