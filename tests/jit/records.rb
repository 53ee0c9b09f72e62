# Members of Struct and Data classes in compiled code: readers, writers, `[]` and `[]=` of literal names,
# and what overrides or freezes them.

require_relative "fixtures/turns"

Point = Struct.new(:x, :y)
Wide = Struct.new(*("a".."z").map(&:to_sym))
Pair = Data.define(:left, :right)
Named = Struct.new(:x, keyword_init: true)

def x(point) = point.x
def set_x(point, value) = point.x = value
def by_name(point) = point[:y]
def by_index(point) = point[1]
def set_by_name(point, value) = point[:y] = value
def set_by_index(point, value) = point[0] = value

point = Point.new(1, 2)
wide = Wide.new(*1..26)
turns { |i| set_x(point, i); x(point) } # => 59
turns { |i| set_by_name(point, i + 1); [by_name(point), by_index(point)] } # => [60, 60]
turns { |i| set_by_index(point, "s#{i}"); point.x } # => "s59"
turns { |i| [wide.a, wide.n, wide.o, wide.x, wide.z, wide[:p], wide[25], wide[:z]] } # => [1, 14, 15, 24, 26, 16, 26, 26]
turns { |i| wide.b = i; wide.w = i; wide.z = i; wide[:y] = i; wide[3] = i; wide.to_a.values_at(1, 22, 25, 24, 3) } # => [59, 59, 59, 59, 59]
turns { |i| pair = Pair.new(left: i, right: -i); [pair.left, pair.right] } # => [59, -59]
turns { |i| named = Named.new(x: i); named.x += 1; named.x } # => 60

# Names and indexes that are none.
20.times.map { point[:z] rescue $!.message }.uniq # => ["no member 'z' in struct"]
20.times.map { point[2] rescue $!.message }.uniq # => ["offset 2 too large for struct(size:2)"]
20.times.map { point[-3] rescue $!.message }.uniq # => ["offset -3 too small for struct(size:2)"]
20.times.map { (point[:z] = 1) rescue $!.message }.uniq # => ["no member 'z' in struct"]
turns { |i| point["y"] = i; [point["y"], point[-1], point[1.5]] } # => [59, 59, 59]
keys = [:x, "x", 0, -2]
turns { |i| point.x = i; keys.map { |key| point[key] } } # => [59, 59, 59, 59]

# Frozen while it runs.
frozen = Point.new(0, 0)
turns { |i| frozen.freeze if i == 30; begin; set_x(frozen, i); rescue FrozenError; $!.message.sub(/0x\h+/, ""); end } # => "can't modify frozen Point: #<struct Point x=29, y=0>"
turns { |i| begin; set_by_name(frozen, i); rescue FrozenError; $!.class; end } # => FrozenError
x(frozen) # => 29

# Subclasses that override a member, singleton methods, members defined anew.
class Doubled < Point
  def x = super * 2
  def y=(value)
    super(value + 1)
  end
end
doubled = Doubled.new(5, 6)
turns { |i| doubled.x = i; doubled.y = i; [x(doubled), doubled.x, doubled.y, by_index(doubled)] } # => [118, 118, 60, 60]
turns { |i| x(i.even? ? point : doubled) } # => 118
single = Point.new(7, 8)
turns { |i| def single.x = :single if i == 30; x(single) } # => :single
turns { |i| x(point) } # => 59
class Loose < Struct.new(:x)
end
loose = Loose.new(1)
turns { |i| Loose.class_eval { def x = [:anew, self[:x]] } if i == 30; x(loose) } # => [:anew, 1]
Before = Struct.new(:x)
before = Before.new(1)
turns { |i| Before.prepend(Module.new { def x = [:before, super] }) if i == 30; x(before) } # => [:before, 1]
turns { |i| Before.class_eval { def [](key) = [key, super] } if i == 30; before[:x] } # => [:x, 1]

# Second names, methods made of members, `send`, and symbols.
class Point
  alias across x
  alias_method :across=, :x=
  define_method(:up, instance_method(:y))
end
turns { |i| point.across = i; point.y = i; [point.across, point.up, point.send(:x), point.public_send(:y)] } # => [59, 59, 59, 59]
turns { |i| [Point.new(i, 1), Point.new(2, 3)].map(&:x) } # => [59, 2]
reader = point.method(:x)
turns { reader.call } # => 59

# Young objects in old ones.
old = Wide.new
small = Point.new
GC.start
turns(300) { |i| old.a = "a#{i}"; old.z = [i]; small.x = "x#{i}"; small[:y] = { i => i }; nil }
GC.start
[old.a, old.z, small.x, small.y.to_a] # => ["a299", [299], "x299", [[299, 299]]]
