# The lists of a weak map are made while a collection prunes the map.
map = ObjectSpace::WeakMap.new
kept = Array.new(100) { Object.new }
kept.each { |key| map[key] = key }
GC.stress = true if GC.respond_to?(:stress=)
map.keys.size # => 100
map.values.size # => 100
GC.stress = false if GC.respond_to?(:stress=)
kept.size # => 100
