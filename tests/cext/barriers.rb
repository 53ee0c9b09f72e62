# References that C code stores into old objects are seen by minor collections, whichever way it stores them.
require_relative "fixtures/build"
load_c("barriers")
# Makes garbage until what was made before is old, and again what was made just now if it was taken for dead.
def young_collections
  3.times { GC.start(full_mark: false); 2_000.times { "garbage #{it}" } }
end
short, long = [nil, nil], Array.new(300)
guarded, bare, unprotected = Pair.new(true), Pair.new(false), Pair.new(true)
3.times { GC.start }

Barriers.by_pointer(short)
Barriers.by_pointer(long)
[guarded, bare].each(&:fill)
unprotected.bare
young_collections
short # => ["made by C, number 0", "made by C, number 1"]
long.last # => "made by C, number 299"
guarded.read # => ["made by C, number 1", "made by C, number 2"]
bare.read # => ["made by C, number 1", "made by C, number 2"]
unprotected.read # => ["made by C, number 3", "made by C, number 4"]

Barriers.in_use(long)
Barriers.one_by_one(short)
young_collections
long.values_at(0, 1, 299) # => ["made by C, number 100", "made by C, number 1", "made by C, number 299"]
short # => ["made by C, number 0", "made by C, number 1"]

# An array whose buffer another one shares is written for itself alone.
whole = Array.new(100) { "element #{it}" }
part = whole[10, 80]
Barriers.one_by_one(part)
whole[10] # => "element 10"
part[0] # => "made by C, number 0"
Barriers.beyond([]) # raises IndexError: index 0 outside of array of 0
Barriers.immediates # => Barriers
