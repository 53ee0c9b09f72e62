# Hashes and Arrays in each other take time in proportion to the depth. With a collection,
# or a step of one, at each allocation it is the square.
depth = ENV["RUBELLITE_STRESS"] == "gc" ? 100 : 30_000
mixed = 1
depth.times { |i| mixed = i.odd? ? [mixed] : {"k" => mixed} }
start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
mixed.to_s.size == 1 + depth / 2 * "[{\"k\" => }]".size # => true
Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start < 4 # => true
keyed = 1
levels = { "gc" => 100, "steps" => 500 }.fetch(ENV["RUBELLITE_STRESS"], 2_000)
levels.times { keyed = {keyed => 1} }
keyed.inspect.size == 1 + levels * 7 # => true
