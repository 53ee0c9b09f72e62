# Costs of single operations in nanoseconds, less the cost of the empty loop around them: the minimum of several rounds.
ROUNDS = 5
TIMES = 1_000_000

def clock
  Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
end

def least
  best = nil
  ROUNDS.times do
    start = clock
    yield
    spent = clock - start
    best = spent if best.nil? || spent < best
  end
  best
end

def report(name, spent, times = TIMES, empty = $empty)
  puts format("%.1f %s", [(spent - empty * times / TIMES), 0].max / times.to_f, name)
end

def nothing
end

def nothing_with(a, b)
end

def yielder
  yield
end

class Plain
end

class WithIvars
  attr_accessor :a

  def initialize
    @a = 1
    @b = 2
  end
end

$empty = least { i = 0; while i < TIMES; i += 1; end }
report("while iteration with its safepoint poll", $empty, TIMES, 0)
report("method call without arguments", least { i = 0; while i < TIMES; nothing; i += 1; end })
report("method call with two arguments", least { i = 0; while i < TIMES; nothing_with(i, i); i += 1; end })
report("block call by yield", least { i = 0; while i < TIMES; yielder { }; i += 1; end })
block = -> { }
report("lambda call", least { i = 0; while i < TIMES; block.call; i += 1; end })
report("Integer#times per iteration", least { TIMES.times { } }, TIMES, 0)
report("Array#each per element", (list = Array.new(TIMES, 0); least { list.each { } }), TIMES, 0)
object = WithIvars.new
report("attribute reader", least { i = 0; while i < TIMES; object.a; i += 1; end })
report("attribute writer", least { i = 0; while i < TIMES; object.a = i; i += 1; end })
array = [1, 2, 3]
hash = { a: 1, b: 2 }
report("Array#[]", least { i = 0; while i < TIMES; found = array[1]; i += 1; end })
report("Hash#[] with a symbol", least { i = 0; while i < TIMES; found = hash[:b]; i += 1; end })
float = 1.5
report("float multiplication and addition", least { i = 0; while i < TIMES; made = float * float + 1.0; i += 1; end })
report("allocation of an empty object", least { i = 0; while i < TIMES; Plain.new; i += 1; end })
report("allocation of an object with initialize", least { i = 0; while i < TIMES; WithIvars.new; i += 1; end })
report("allocation of an array of three", least { i = 0; while i < TIMES; made = [i, i, i]; i += 1; end })
report("allocation of a string literal", least { i = 0; while i < TIMES; made = "abc"; i += 1; end })
report("respond_to?", least { i = 0; while i < TIMES; object.respond_to?(:a); i += 1; end })
report("raise and rescue", least { i = 0; while i < TIMES / 20; begin; raise "a"; rescue; end; i += 1; end },
       TIMES / 20)
