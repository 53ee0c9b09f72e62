# The heap has cells of several sizes, each with blocks of its own.
count = GC::INTERNAL_CONSTANTS[:HEAP_COUNT]
all = GC.stat_heap
all.keys == [*0...count] # => true
sizes = all.map { |_, figures| figures[:slot_size] }
sizes == sizes.sort.uniq # => true
GC::INTERNAL_CONSTANTS[:BASE_SLOT_SIZE] == sizes.first # => true
all.all? { |_, figures| figures[:heap_eden_slots] == figures[:heap_eden_pages] * (65_536 / figures[:slot_size]) } # => true
all.sum { |_, figures| figures[:heap_eden_pages] } <= GC.stat(:heap_allocated_pages) # => true
GC.stat_heap(0, :slot_size) == sizes.first # => true
given = { 0 => {} }
GC.stat_heap(nil, given).equal?(given) # => true
given[0].keys == all[0].keys # => true
GC.stat_heap(nil, :slot_size) # raises TypeError: non-hash given
GC.stat_heap(count) # raises ArgumentError: heap index out of range
GC.stat_heap(-1) # raises ArgumentError: heap index out of range

figures = GC.stat
figures[:heap_allocated_pages] == figures[:heap_eden_pages] + figures[:heap_empty_pages] # => true
figures[:total_allocated_pages] == figures[:heap_allocated_pages] + figures[:total_freed_pages] # => true
