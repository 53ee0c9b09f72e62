# Full collections of large heaps take steps, between which the program moves references about;
# what it can reach lives, the rest goes.
Node = Struct.new(:next, :name)
def count_of(klass) = ObjectSpace.each_object(klass).count
def list(length) = length.times.inject(nil) { |rest, i| Node.new(rest, "n#{i}") }

# Large enough for steps, and kept.
kept = Array.new(200_000) { |i| ["kept #{i}"] }
table = {}
60_000.times { |i| table["key #{i}"] = [i] }
GC.start

# The tail of a list moves back and forth between old objects while garbage makes collections go on.
homes = Array.new(8) { Node.new(nil, nil) }
homes[0].next = list(50)
long = Array.new(50_000) { |i| "long #{i}" }
queue = Array.new(40_000) { |i| "queued #{i}" }
at = 0
before = GC.count
60_000.times do |i|
  to = (at * 5 + i) % 8
  homes[to].next, homes[at].next = homes[at].next, nil unless to == at
  at = to
  long.rotate!(7) if i % 100 == 0
  long.reverse! if i % 333 == 0
  queue.push("queued #{40_000 + i}")
  queue.shift
  table.delete("key #{i}")
  table["key #{i}"] = [i]
  kept[(i * 7919) % kept.size] = ["kept #{(i * 7919) % kept.size}"]
  homes[i % 8].instance_variable_set(:@extra, "extra #{i}")
end
GC.count > before # => true
names = []
node = homes[at].next
(names << node.name; node = node.next) while node
names == Array.new(50) { "n#{49 - it}" } # => true
long.sort_by { it[/\d+/].to_i } == Array.new(50_000) { "long #{it}" } # => true
queue == Array.new(40_000) { "queued #{it + 60_000}" } # => true
table.size # => 60000
table.all? { |key, (value)| key == "key #{value}" } # => true
kept.each_with_index.all? { |(text), i| text == "kept #{i}" } # => true
homes.map { it.instance_variable_get(:@extra)[/\d+/].to_i / 8 }.uniq # => [7499]

# What nobody can reach is gone after GC.start, weak references and finalizers with it.
class Gone; end
weak = ObjectSpace::WeakMap.new
$finished = 0
def counted = proc { $finished += 1 }
add = lambda do |n|
  n.times do |i|
    gone = Gone.new
    weak[gone] = "value #{i}"
    ObjectSpace.define_finalizer(gone, counted)
  end
  nil
end
add.call(2000)
8.times { GC.start }
count_of(Gone) < 20 # => true
weak.size < 20 # => true
$finished > 1980 # => true

# A collection may be asked for, or forbidden, at any moment.
inner = Array.new(100) { |i| [i.to_s] }
5000.times do |i|
  case i % 500
  when 100 then GC.start
  when 200 then GC.start(full_mark: false)
  when 300 then GC.disable
  when 400 then GC.enable
  end
  kept[i] = ["again #{i}"]
  inner[i % 100] = [(i % 100).to_s]
end
GC.enable # => false
inner == Array.new(100) { [it.to_s] } # => true

# Suspended fibers, enumerators, bindings and waiting threads hold what they refer to.
fibers = Array.new(50) { |i| Fiber.new { mine = ["fiber #{i}"]; Fiber.yield; mine } }
fibers.each(&:resume)
enums = Array.new(20) { |i| ["a #{i}", "b #{i}"].each }
enums.each(&:next)
bindings = Array.new(20) { |i| local = "local #{i}"; binding }
gate = Thread::Queue.new
threads = Array.new(10) { |i| Thread.new { held = ["thread #{i}"]; gate.pop; held } }
Thread.pass until threads.all?(&:stop?)
40_000.times { |i| kept[i] = ["more #{i}", i.to_s] }
GC.start
10.times { gate << nil }
fibers.map(&:resume) == Array.new(50) { ["fiber #{it}"] } # => true
enums.map(&:next) == Array.new(20) { "b #{it}" } # => true
bindings.map { it.local_variable_get(:local) } == Array.new(20) { "local #{it}" } # => true
threads.map(&:value) == Array.new(10) { ["thread #{it}"] } # => true

# Symbols made at run time, more than ever before: those that are held stay what they are, the others go.
held = Array.new(30_000) { |i| :"held #{i}" }
30_000.times { |i| :"dropped #{i}" }
2.times { GC.start }
held.each_with_index.all? { |sym, i| sym.name == "held #{i}" } # => true
Symbol.all_symbols.count { it.start_with?("dropped") } < 100 # => true
