# What profilers and debuggers ask of frames.
require_relative "fixtures/build"
load_c("frames")

class Deep
  def one = [1].each { |x| break two }
  def two = Deep.three
  define_method(:by_block) { Frames.here(0, 2) }
  def self.three
    Object.new.instance_eval do
      def self.four = Frames.here(0, 100)
      four
    end
  end
end
# The label, the base label, the full one, the method's name, its class, whether it is a singleton method, file, full
# path, first line.
found = Deep.new.one
found.shift # => [nil, nil, "Frames.here", "here", "Frames", true, nil, "<cfunc>", nil]
four = found.shift
four.values_at(0, 1, 3, 5, 6, 7, 8) # => ["four", "four", "four", true, "frames.rb", "frames.rb", 11]
[0, 1, 3].map { four[it].frozen? }.uniq # => [true]
four[2].match?(/\A#<Object:0x\h+>\.four\z/) # => true
found.shift # => ["three", "three", "Deep.three", "three", "Deep", true, "frames.rb", "frames.rb", 9]
found.shift # => [nil, nil, "BasicObject#instance_eval", "instance_eval", "BasicObject", false, nil, "<cfunc>", nil]
found.shift # => ["three", "three", "Deep.three", "three", "Deep", true, "frames.rb", "frames.rb", 9]
found.shift # => ["two", "two", "Deep#two", "two", "Deep", false, "frames.rb", "frames.rb", 7]
found.shift # => ["one", "one", "Deep#one", "one", "Deep", false, "frames.rb", "frames.rb", 6]
found.shift # => [nil, nil, "Array#each", "each", "Array", false, nil, "<cfunc>", nil]
found.shift.first(5) # => ["one", "one", "Deep#one", "one", "Deep"]
Deep.new.by_block.last[0, 3] # => ["block in <class:Deep>", "<class:Deep>", "block in <class:Deep>"]
Frames.here(0, 1).size # => 1
Frames.here(0, 0) # => []
Frames.here(1000, 1) # => []
def lines
  Frames.lines
end
lines.first - __LINE__ # => -2
Frames.same? # => true
waiting = Thread.new { sleep }
Thread.pass until waiting.stop?
Frames.of(waiting).map { |frame| frame[2] }.first # => "Kernel#sleep"
waiting.kill.join
Frames.of(waiting) # => []
Frames.of(nil) # => []

# In the handler of a signal, whatever it interrupts.
class Deep
  def busy(n)
    i = 0
    while i < n
      i += 1
      step(i)
    end
  end

  def step(i) = i.to_s
  def sorting(n) = (1..n).map { |i| i.to_s }.sort_by { |text| Fiber.new { text }.resume }
end
Frames.start(500)
Deep.new.busy(1000) until Frames.taken > 10
Deep.new.sorting(50) until Frames.taken > 40
inner, outer = Frames.stop
inner.any? { |label| ["Deep#busy", "Deep#step", "Integer#to_s"].include?(label) } # => true
outer.all?(String) # => true

# The inspector.
def level(first)
  second = first + 1
  # Compiled code keeps of its locals what a block captures.
  proc { [first, second] }
  Frames.inspect_stack
end
levels = level(1)
levels[0].drop(1) == [Frames, Frames.singleton_class, nil] # => true
levels[0][0].label # => "Frames.inspect_stack"
levels[1][0].label # => "Object#level"
levels[1][1, 2] # => [main, Object]
binding = levels[1][3]
[binding.local_variables, binding.local_variable_get(:second), binding.receiver] # => [[:first, :second], 2, main]
levels.last[2] # => nil
Frames.inspect_beyond rescue $!.message # => "no such frame"

# All objects.
class Counted; end
kept = Array.new(10) { Counted.new }
Frames.count_objects(Counted) # => 10
kept.size # => 10

# Code: of a level, and all that there is, also what nobody has run yet.
def asks(first, *rest)
  Frames.caller_code
end
native, own = asks(1)
native # => nil
[own.label, own.path == __FILE__] # => ["asks", true]
kind, parameters, *lines, path = Frames.describe_code(own)
[kind, parameters] # => [:method, [[:req, :first], [:rest, :rest]]]
lines.map { |line| line - own.first_lineno } # => [0, 2]
path == File.realpath(__FILE__) # => true
Frames.describe_code(3) # raises TypeError: uninitialized InstructionSequence
class Deep
  def never_run
    [1].each { |x| x }
  end
end
mine = Frames.all_code.select { |code| code.path == __FILE__ }
mine.map(&:label).include?("block in never_run") # => true
mine.map { |code| Frames.describe_code(code)[0] }.uniq.sort # => [:block, :class, :main, :method]
# Code ends behind what it holds: a debugger looks there for the lines of breakpoints.
places = %w[<main> never_run].map { |label| mine.index { |code| code.label == label } }
main, deep = mine.map { |code| [code.label, *Frames.describe_code(code)] }.values_at(*places)
deep[4] - deep[3] # => 2
main[4] >= deep[4] # => true

# Hooks on one thread.
waiting = Thread.new { Thread.stop; level(2) }
Thread.pass until waiting.stop?
calls = Frames.trace_thread(waiting)
level(3)
waiting.run.join
calls # => [[:level, Object]]
Frames.untrace_thread(waiting) # => [0, 1]

# A trace point of C code does not report its own end.
Frames.trace_calls
[3, 1].sort
Frames.traced_calls # => [:sort, :traced_calls]
