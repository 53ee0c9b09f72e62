# Setting, getting and deleting cost the same however many entries a weak map has.
# timeout: 60
def seconds
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
    .then { |t| yield; Process.clock_gettime(Process::CLOCK_MONOTONIC) - t }
end

keys = Array.new(60_000) { |i| "key #{i}" }
map = ObjectSpace::WeakMap.new
seconds { keys.each { |key| map[key] = key } } < 5 # => true
seconds { keys.all? { |key| map[key].equal?(key) } or raise } < 5 # => true
map.size # => 60000
map.keys.first(2) # => ["key 0", "key 1"]
seconds { keys.each_with_index { |key, i| map.delete(key) if i.odd? } } < 5 # => true
[map.size, map.key?(keys[1]), map.key?(keys[2]), map.values.size] # => [30000, false, true, 30000]
map[keys[1]] = keys[0]
[map.keys.last, map[keys[1]], map.keys[0], map.size] # => ["key 1", "key 0", "key 0", 30001]

weak = ObjectSpace::WeakKeyMap.new
seconds { keys.each_with_index { |key, i| weak[key] = i } } < 5 # => true
seconds { 60_000.times { |i| weak["key #{i}"] == i or raise } } < 5 # => true
weak.getkey("key 77").equal?(keys[77]) # => true
seconds { 60_000.times { |i| weak.delete("key #{i}") if i % 3 > 0 } } < 5 # => true
[weak["key 3"], weak["key 4"], weak.key?("key 5"), weak.inspect[/size=\d+/]] # => [3, nil, false, "size=20000"]

# Floats by value, all else by identity.
map = ObjectSpace::WeakMap.new
big = 2**70
map[1.5] = "x".freeze
map[big] = kept = "y"
[map[1.5], map[2**70], map[big]] # => ["x", nil, "y"]

# What dies leaves the map; the others stay to be found.
map = ObjectSpace::WeakMap.new
kept = Array.new(5000) { Object.new }
kept.each { |object| map[object] = object; map[Object.new] = object }
3.times { GC.start }
[map.size < 7000, kept.all? { |object| map[object].equal?(object) }] # => [true, true]
