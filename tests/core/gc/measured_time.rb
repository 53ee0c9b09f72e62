# `GC.measure_total_time = false` stops the figures of time, and only those.
GC.measure_total_time # => true
junk = -> { Array.new(200) { |i| "x" * 50 + i.to_s }; GC.start }
GC.measure_total_time = false
GC.measure_total_time # => false
before = GC.total_time
count = GC.count
junk.call
GC.total_time == before # => true
GC.count > count # => true
# What passed meanwhile is not added.
(GC.measure_total_time = 1; GC.total_time) == before # => true
GC.measure_total_time # => true
junk.call
GC.total_time > before # => true
GC.stat(:time) <= GC.total_time # => true
