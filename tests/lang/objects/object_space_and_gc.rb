GC.start # => nil
GC.count.class # => Integer
GC.disable # => false
GC.enable # => true
class Marker; end
kept = Array.new(3) { Marker.new }
ObjectSpace.each_object(Marker).count # => 3
kept.size # => 3
w = ObjectSpace::WeakMap.new
key = Object.new
w[key] = :v
w[key] # => :v
w.key?(key) # => true
