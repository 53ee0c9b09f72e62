# A setting that programs make when they start, which is kept.
GC.auto_compact          # => false
(GC.auto_compact = 1)    # => 1
GC.auto_compact          # => true
GC.auto_compact = nil
GC.auto_compact          # => false
GC.respond_to?(:auto_compact=) # => true
GC.auto_compact(1) # raises ArgumentError: wrong number of arguments (given 1, expected 0)
