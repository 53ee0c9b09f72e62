# Where objects are made is noted while somebody wants it, and remembered until it is cleared or the object is gone.
require "objspace"

class Maker
  def make = Object.new
  def self.text(n) = "text" * n
  define_method(:block) { [1, 2].map { |x| x.to_s * 2 } }
end

def where(object) = %i[sourceline class_path method_id].map { ObjectSpace.send("allocation_#{it}", object) }

before = Object.new
inside = nil
ObjectSpace.trace_object_allocations do
  inside = [Maker.new.make, Maker.text(20), "a" + "b", [1, inside], { a: 1 }, Maker.new.block.first]
end
after = Object.new
inside.map { where(it)[0] } # => [5, 6, 15, 15, 15, 7]
where(inside[0]) # => [5, "Maker", :make]
inside.map { ObjectSpace.allocation_sourcefile(it) }.uniq == [__FILE__] # => true
(0..GC.count).cover?(ObjectSpace.allocation_generation(inside[0])) # => true
[before, after, 1, nil, :a, 1.5].map { ObjectSpace.allocation_sourcefile(it) }.uniq # => [nil]

# Whoever asks first does not end it for others.
ObjectSpace.trace_object_allocations_start
ObjectSpace.trace_object_allocations_start
ObjectSpace.trace_object_allocations_stop
a = Object.new
ObjectSpace.trace_object_allocations_stop
b = Object.new
[a, b].map { ObjectSpace.allocation_sourceline(it) } # => [28, nil]
ObjectSpace.trace_object_allocations_stop
c = Object.new
ObjectSpace.allocation_sourceline(c) # => nil

# Through collections and in many threads; what is dead is forgotten.
ObjectSpace.trace_object_allocations do
  kept = 4.times.map { |n| Thread.new { 500.times.map { |i| "#{n} #{i}" } } }.map(&:value)
  GC.start
  GC.stress = true
  more = 3.times.map { Class.new { def x = 1 } }
  GC.stress = false
  kept.flatten.map { ObjectSpace.allocation_sourceline(it) }.uniq # => [38]
  more.map { ObjectSpace.allocation_sourceline(it) }.uniq # => [41]
end
GC.start
fresh = Array.new(1000) { Object.new }
fresh.count { ObjectSpace.allocation_sourceline(it) } # => 0
ObjectSpace.trace_object_allocations_clear
where(inside[0]) # => [nil, nil, nil]

# A dump tells it.
ObjectSpace.trace_object_allocations { b = Maker.new.make }
dump = ObjectSpace.dump(b)
dump.include?(%("file":"#{__FILE__}", "line":5, "method":"make", "generation":)) # => true
ObjectSpace.reachable_objects_from(2**70) # => [Integer]
