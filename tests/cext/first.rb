# An extension in C of our own, compiled and loaded: methods, data, blocks, exits, strings, the lock.
require_relative "fixtures/build"
path = load_c("first")
$LOADED_FEATURES.include?(path) # => true
require path # => false

# Methods and their arities.
point = First::Point.new(3, 4)
point.x # => 3
point.horizontal # => 3
point.y # => 4
First::Point.new(1, y: 5).y # => 5
First::Point.new(1, z: 5) # raises ArgumentError: unknown keyword: :z
First::Point.new # raises ArgumentError: wrong number of arguments (given 0, expected 1..2)
point.x(1) # raises ArgumentError: wrong number of arguments (given 1, expected 0)
point.sum(First::Point.new(10)) # => 13
point.sum(3) # raises TypeError: wrong argument type Integer (expected point)
First.list(1, 2, 3) # => "1-2-3"
First::Point.instance_method(:sum).arity # => 1
First.method(:list).arity # => -1
First::Point.instance_method(:sum).parameters # => [[:req]]
First::Point::LIMIT # => 1.5e+300
First::Point.allocate.x # => nil
Class.new(First::Point) { def x = super + 1 }.new(1).x # => 2

First::Point.new(1).freeze.frozen? # => true

# Blocks.
seen = []
point.each_twice { |*args| seen << args; args.size }.then { |result| [result, seen] } # => [2, [[3], [3, 4]]]
point.each_twice.class # => Enumerator
point.each_twice.next # => 3
First.collect([1, 2, 3]) { |n| n * 2 } # => [2, 4, 6]
First.collect([1, 2]) # => [1, 2]
First.collect([1, 99, 3]) # => :broke
[1, 2, 3].each { |n| break First.collect([n]) { break :out } } # => :out
def leave = First.collect([1]) { return :returned }
leave # => :returned

# Exits cross the functions of C, and what they ensure runs.
First.ensured(false) # => "fine"
First.ensured(5) # raises ArgumentError: bad 3 three 5 "q"
First.log # => [:body, :cleanup]
First.rescued(5) # => [:saved, "bad 3 three 5 \"q\""]
First.rescued(nil) # => "fine"
First.protected { |n| n + 1 } # => 8
First.protected { raise "inside" }.then { |state, error| [state, error.message] } # => [6, "inside"]
$! # => nil
First.protected_on { raise KeyError, "on" } # raises KeyError: on
catch(:tag) { First.protected_on { throw :tag, 9 } } # => 9
[1].each { First.protected_on { break } } # => [1]
[1].each { break First.protected_on { break 5 } } # => 5
First.deep(40) # raises RuntimeError: bottom
begin
  First.ensured(1)
rescue => error
  error.backtrace[0][/in .*/].delete("'`")[/ensured\z/] # => "ensured"
end

# Super.
class First::Point
  def self.inherited(_) = nil
end
base = Class.new { def ask(n) = n * 100 }
module Asks; end
class WithSuper < First::Point
  include(Module.new { def answer = 42 })
end
First::Point.include(Module.new { def ask(n) = n * 100 })
point.ask(3) # => [300, "ask"]

# Strings: bytes that C writes, and the NUL behind them.
text = +"abc"
text.valid_encoding? # => true
First.write(text).valid_encoding? # => false
First.terminated("x" * 24) # => 0
First.terminated("y" * 23) # => 0
First.terminated(("z" * 5000)[10, 3000]) # => 0
First.buffer(30) # => "abcdefghijklmnopqrstuvwxyzabcd"
First.buffer(3) # => "abc"
original = "shared text that is long enough to be shared by its copies " * 10
copy = original.dup
First.write(copy)
original.start_with?("shared") # => true

# Numbers and types.
First.int(12) # => 12
First.int(3.9) # => 3
First.int(1 << 40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
First.int(nil) # raises TypeError: no implicit conversion from nil to integer
First.int("1") # raises TypeError: no implicit conversion of String into Integer
[point, $stdout, Object.new, (1..2), Struct.new(:a).new(1), "", Mutex.new].map { |value| First.type(value) } # => [1, 2, 3, 4, 4, 0, 1]

# The collector marks what data refers to, reads registered variables, and frees.
First.keep(["kept", Object.new.to_s.size])
3.times do
  5000.times { First::Point.new("a".dup, "b".dup) }
  GC.start
end
First.kept[0] # => "kept"
First.counts # => [true, true]
holder = First::Point.new("held".dup, ["too"])
GC.start
[holder.x, holder.y] # => ["held", ["too"]]
dumped = Marshal.dump(point) # raises TypeError: no _dump_data is defined for class First::Point

# Outside the lock, and back in it for callbacks.
ran = 0
other = Thread.new { 100.times { ran += 1; Thread.pass } }
First.outside(200_000) # => "done"
ran # => 100
other.join
First.callback { |n| n * 10 }.then { |result, _| result } # => 20
First.callback { raise IOError, "in callback" } # raises IOError: in callback
First.callback { |n| n }[1] # => 2
sleeper = Thread.new { First.outside(20_000_000) }
sleep 0.05
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
sleeper.kill
sleeper.join
Process.clock_gettime(Process::CLOCK_MONOTONIC) - started < 5 # => true
