# C code watches the heap: objects that are made and freed, and the steps of collections.
require_relative "fixtures/build"
load_c("watching")

class Thing; end

def make(n)
  n.times { Thing.new }
  n
end

Watching.watch(Thing) { make(1000) } # => [1000, true, false]
made, strings, = Watching.counts
made.between?(1000, 1100) # => true
strings < 50 # => true
Watching.counts[4] # => 8
File.basename(Watching.counts[5]) # => "watching.rb"

Watching.watch(Thing) { Array.new(500) { |i| "text #{i}" }.size }.first # => 500
Watching.counts[1].between?(500, 1050) # => true

# What is dead is told of with its content.
Watching.watch(Thing) do
  Array.new(2000) { |i| "a text that is too long for its cell #{i}" * 4 }.clear
  3.times { GC.start }
end
Watching.counts[2] >= 1500 # => true
Watching.counts[3] >= Watching.counts[2] * 40 # => true

# Each collection in its steps; hooks that are gone hear nothing.
steps, removed = Watching.steps { GC.start }
# Marking may have begun before.
steps.match?(/\A\(s?(?:\)\()*mw\)/) # => true
steps.delete("smw").match?(/\A(?:\(\))+\(?\z/) # => true
removed # => 1
before = steps.dup
GC.start
steps == before # => true

# No exit leaves one who listens, and exits that are under way go on.
Watching.raising { [1, "two", Object.new].size } # => 3
Watching.raising { begin; raise "really"; rescue => e; e.message; end } # => "really"
Watching.raising { catch(:tag) { [1].each { throw :tag, [2] } } } # => [2]
Watching.raising { [1, 2].each { |x| break [x] } } # => [1]
Watching.outside rescue [$!.class, $!.message] # => [RuntimeError, "not supported by this event"]

# Beside the notes of ObjectSpace.
require "objspace"
ObjectSpace.trace_object_allocations do
  Watching.watch(Thing) { Thing.new }
  thing = Thing.new
  ObjectSpace.allocation_sourceline(thing) == __LINE__ - 1 # => true
end
