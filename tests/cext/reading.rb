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

# Names, numbers, counts, random numbers and the environment.
object = Object.new
object.instance_variable_set(:@kept, "variable")
table = {entry: "found", other: 1}
answers = Reading.answered(Random.new(42), table, object, 2**40)
answers[0] # => true
answers[1] # => [:length, :made_outside_the_lock, :grüße, :made_outside_the_lock]
answers[2, 3] # => [true, [2.5, -7, 9, Object], true]
answers[5..] # => [:none, true, 4083286876, 1099511627776, "variable", "found", false, 2, "set"]
ENV["READING_OUTSIDE"] # => "set"
100.times.map { Reading.answered(Random, table, object, 1)[12] }.uniq # => [2]
Reading.answered(Random, table, object, "text") # raises TypeError: no implicit conversion of String into Integer

holders = 20.times.map { Reading.held }
GC.start(full_mark: false)
junk = 10_000.times.map { |i| "junk #{i}" }
holders.map { |holder| Reading.kept(holder) }.uniq # => ["stored outside"]
Reading.computed # => 0.25

# What needs a cell of the heap there ends the process with words.
reader, writer = IO.pipe
child = fork do
  Process.setrlimit(:CORE, 0)
  $stderr.reopen(writer)
  Reading.allocated
end
writer.close
reader.read[/has called a function of the VM without the lock/] # => "has called a function of the VM without the lock"
Process.wait2(child)[1].termsig # => 6
