# Symbols that a program computes keep name and identity as long as something refers to them,
# and names that it gives with them stay.

def churn(word)
  200.times { |i| "#{word}#{i}".to_sym }
  GC.start
  200.times { |i| "#{word}_after#{i}".to_sym }
end

# Values.
list = (0...50).map { |i| "in_list#{i}".to_sym }
hash = list.to_h { |name| [name.to_s.sub("list", "hash").to_sym, name] }
nested = {list: [["deep#{1}".to_sym]], range: ("from#{1}".to_sym.."to#{1}".to_sym)}
Pair = Struct.new(:left, :right)
pair = Pair.new("struct#{1}".to_sym, -> { "unused#{1}".to_sym })
closure = ["closed#{1}".to_sym].map { |name| -> { name } }.first
thread = Thread.new { local = "on_stack#{1}".to_sym; Thread.stop; local }
Thread.pass until thread.stop?
fiber = Fiber.new { local = "in_fiber#{1}".to_sym; Fiber.yield; local }
fiber.resume
enumerator = Enumerator.new { |y| local = "external#{1}".to_sym; y << 1; y << local }
enumerator.next
Thread.current["thread_key#{1}".to_sym] = "thread_value#{1}".to_sym
queue = Queue.new << "queued#{1}".to_sym
caught = catch("tag#{1}".to_sym) { churn("thrown"); throw "tag#{1}".to_sym, :thrown }
CONSTANT = "constant#{1}".to_sym
$global = "global#{1}".to_sym
3.times { |round| churn("other#{round}_") }

list.each_with_index.all? { |name, i| name == "in_list#{i}".to_sym && name.to_s == "in_list#{i}" } # => true
list.each_with_index.all? { |name, i| hash["in_hash#{i}".to_sym].equal?(name) } # => true
hash.keys.map(&:to_s) == (0...50).map { |i| "in_hash#{i}" } # => true
nested # => {list: [[:deep1]], range: :from1..:to1}
pair.left # => :struct1
closure.call # => :closed1
thread.run.value # => :on_stack1
fiber.resume # => :in_fiber1
enumerator.next # => :external1
Thread.current[:thread_key1] # => :thread_value1
queue.pop # => :queued1
caught # => :thrown
[CONSTANT, $global] # => [:constant1, :global1]

# Names.
class Named; end
object = Named.new
Named.define_method("method#{1}".to_sym) { 1 }
Named.attr_accessor "attribute#{1}".to_sym
Named.const_set("Const#{1}".to_sym, 2)
Named.class_variable_set("@@class#{1}".to_sym, 3)
object.instance_variable_set("@variable#{1}".to_sym, 4)
object.define_singleton_method("single#{1}".to_sym) { 5 }
bound = object.method("single#{1}".to_sym)
to_proc = "upca#{"se"}".to_sym.to_proc
Named.send(:alias_method, "other#{1}".to_sym, "method#{1}".to_sym)
id = "identified#{1}".to_sym.object_id
3.times { |round| churn("names#{round}_") }

[object.method1, object.other1, Named::Const1, Named.class_variable_get(:@@class1), object.instance_variable_get(:@variable1), object.single1] # => [1, 1, 2, 3, 4, 5]
object.attribute1 = 6 # => 6
Named.instance_methods(false).sort # => [:attribute1, :attribute1=, :method1, :other1]
object.instance_variables # => [:@variable1, :@attribute1]
bound.name # => :single1
to_proc.call("a") # => "A"
:identified1.object_id == id # => true
ObjectSpace._id2ref(id) # => :identified1

# Where a name was looked for in vain, and another symbol may have its number now.
200.times { |i| object.respond_to?("absent#{i}".to_sym) }
churn("after")
Named.define_method("absent#{7}".to_sym) { 7 }
object.respond_to?(:absent7) # => true
object.respond_to?(:absent8) # => false

# Marshal.
class Dumped
  def initialize(word) = @word = word
  def marshal_dump = [(0...20).map { |i| "#{@word}_part#{i}".to_sym }, GC.start][0]
  def marshal_load(parts) = @parts = parts
  attr_reader :parts
end
loaded = Marshal.load(
  Marshal.dump([Dumped.new("a"), "name#{1}".to_sym, Dumped.new("b"), "name#{1}".to_sym, "ü#{1}".to_sym]))
churn("marshal")
loaded[1..].grep(Symbol) # => [:name1, :name1, :ü1]
loaded.grep(Dumped).flat_map(&:parts) == %w[a b].flat_map { |w| (0...20).map { |i| :"#{w}_part#{i}" } } # => true

# Methods of Symbol, and a WeakMap.
map = ObjectSpace::WeakMap.new
kept = "weak_key#{1}".to_sym
map[kept] = "weak_value#{1}".to_sym
made = ["a#{1}".to_sym.succ, "b#{1}".to_sym.upcase, "C#{1}".to_sym.swapcase]
churn("weak")
made # => [:a2, :B1, :c1]
map.keys.all? { |key| key.equal?(kept) } # => true
