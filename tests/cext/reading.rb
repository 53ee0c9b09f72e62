# Functions that run outside the lock read strings, numbers, arrays and encodings, and count memory.
require_relative "fixtures/build"
load_c("reading", "-pthread")
Reading.looked("übel", 1e300, [7]) # => [5, -61, 4, 2, 252, true, 2.0e+300, 7, 1, 1, 43, true, "übel"]
Reading.looked("ü" * 50, 2.5, [8]).first(4) # => [100, -61, 50, 2]
Reading.counted # => true
Reading.refused("text") # => true
Reading.refused("nul\0") # raises ArgumentError: string contains null byte

# While other threads compute, and collections run.
computing = Thread.new { loop { "x" * 100 } }
400.times.map { |i| Reading.looked("ü#{i}", i * 1e300, [i])[7] }.sum # => 79800
computing.kill.join

# A thread that is to end while it reads ends when its work is over.
ending = Thread.new { loop { Reading.looked("text".dup, 1.5, [1]) } }
sleep 0.01
ending.kill.join(10).equal?(ending) # => true
