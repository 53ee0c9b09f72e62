# GC.latest_gc_info tells what a program asked GC.start for.
GC.start(immediate_sweep: false)
GC.latest_gc_info(:immediate_sweep) # => false
GC.start
[GC.latest_gc_info(:immediate_sweep), GC.latest_gc_info(:major_by), GC.latest_gc_info(:gc_by)] # => [true, :force, :method]
GC.start(full_mark: false)
[GC.latest_gc_info(:major_by), GC.latest_gc_info(:gc_by)] # => [nil, :method]
