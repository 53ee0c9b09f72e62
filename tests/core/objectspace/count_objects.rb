# Keys that the hash has already become 0.
h = {T_FOO: 1000, 1 => 2}
ObjectSpace.count_objects(h).equal?(h) # => true
h.values_at(:T_FOO, 1) # => [0, 0]
h[:TOTAL] > 0 # => true
ObjectSpace.count_objects(1) # raises TypeError: non-hash given
# The class of what is no finalizer is asked for its name.
klass = Class.new { def self.to_s = "Named" }
ObjectSpace.define_finalizer(Object.new, klass.new) # raises ArgumentError: wrong type argument Named (should be callable)
