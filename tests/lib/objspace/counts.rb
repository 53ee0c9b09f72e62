# What counts as an object with native content, and of which class.
require "objspace"

kept = Array.new(50) { [Mutex.new, Time.now, Random.new, Thread::Queue.new, binding, proc { }] }
counts = ObjectSpace.count_tdata_objects
[Thread::Mutex, Time, Random, Thread::Queue, Binding, Proc].map { |klass| counts[klass] >= 50 }.uniq # => [true]
[String, Array, Range, Object].map { |klass| counts[klass] } # => [nil, nil, nil, nil]
kept.size # => 50

# Objects that say nothing of their class are counted, too.
silent = Class.new(BasicObject)
quiet = Class.new(Time) { undef_method(:class) }
held = [silent.new, quiet.now]
ObjectSpace.count_tdata_objects[quiet] # => 1
ObjectSpace.count_tdata_objects({ Time => 1_000 })[Time] > 1_000 # => true
ObjectSpace.count_tdata_objects(1) # raises TypeError: non-hash given
held.size # => 2
ObjectSpace.dump(Mutex.new)[/"type":"(\w+)"/, 1] # => "DATA"
ObjectSpace.dump(1..3)[/"type":"(\w+)"/, 1] # => "STRUCT"
ObjectSpace.dump($stdout)[/"type":"(\w+)"/, 1] # => "FILE"
