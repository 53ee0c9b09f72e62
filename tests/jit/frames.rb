# Frames that compiled code does without until something looks: methods in the place of their calls, and in themselves.
# flags: --jit-threshold=3

def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)
6.times.map { fib(12 + it) } # => [144, 233, 377, 610, 987, 1597]

# Every level of a recursion is in the backtrace, whoever has pushed its frame.
def down(n)
  raise "bottom" if n == 0
  down(n - 1) + 1
end
def levels(n)
  down(n)
rescue => error
  error.backtrace.count { it.include?("Object#down") || it.include?("in 'down'") }
end
(1..40).map { levels(it) } == (2..41).to_a # => true

def lines(n) = n == 0 ? caller_locations(0).first(4).map(&:lineno) : lines(n - 1)
30.times.map { lines(5) }.uniq.length # => 1

# A recursion that goes on in a block, and leaves it by break and return.
def walk(n, found = [])
  [n, n - 1].each do |x|
    return found if x < 0
    found << x
    walk(x - 2, found) if x > 1
  end
  found
end
30.times.map { walk(5) }.uniq # => [[5, 3, 1, 0, 2, 0, 4, 2, 0, 1]]

def sums(tree) = tree.is_a?(Array) ? tree.sum { sums(it) } : tree
30.times.map { sums([1, [2, [3, 4], 5], [6]]) }.uniq # => [21]

# Locals that a block has captured belong to one level.
def counters(n) = n == 0 ? [] : [-> { n += 1 }] + counters(n - 1)
30.times.map { counters(4).map(&:call) }.uniq # => [[5, 4, 3, 2]]
30.times.map { counters(3).flat_map { |c| [c.call, c.call] } }.uniq # => [[4, 5, 3, 4, 2, 3]]

# Each level has a binding and matches of its own.
def names(n) = n == 0 ? [binding.local_variable_get(:n)] : names(n - 1) << binding.local_variable_get(:n)
30.times.map { names(3) }.uniq # => [[0, 1, 2, 3]]

def matched(n)
  "level #{n}" =~ /\d/
  below = n > 0 ? matched(n - 1) : []
  below << $~[0]
end
30.times.map { matched(3) }.uniq # => [["0", "1", "2", "3"]]

# A short method keeps its block apart from the one of an earlier turn.
class Keeper
  def initialize = @kept = []
  def keep(&block) = @kept << block
  def keep_all(n) = n.times { |i| keep { i * 10 } }
  def all = @kept.map(&:call)
end
30.times.map { Keeper.new.tap { it.keep_all(4) }.all }.uniq # => [[0, 10, 20, 30]]

# A short method that is called with something that raises, in a loop that rescues.
class Gate
  def initialize(inner) = @inner = inner
  def pass(x) = @inner.pass(x)
end
class Wall
  def pass(x) = x.odd? ? raise(ArgumentError, "odd #{x}") : x
end
gate = Gate.new(Gate.new(Wall.new))
passes = ->(x) do
  gate.pass(x)
rescue ArgumentError => error
  [error.message, error.backtrace.count { it.include?("pass") }]
end
30.times.map { [passes.(2), passes.(3)] }.uniq # => [[2, ["odd 3", 3]]]

# SystemStackError in a recursion, and the next one goes as deep.
def endless(n) = endless(n + 1) + 1
overflows = -> do
  endless(0)
rescue SystemStackError => error
  error.class
end
3.times.map { overflows.call }.uniq # => [SystemStackError]

# The same block finds other constants where it runs in another scope.
module FirstScope
  NAME = :first
  def self.block = -> { NAME }
end
module SecondScope
  NAME = :second
end
named = FirstScope.block
40.times.map { |i| i.even? ? named.call : SecondScope.module_exec(&named) }.uniq # => [:first]
scoped = [FirstScope, SecondScope].map { |scope| scope.class_eval("-> { NAME }") }
40.times.map { |i| scoped[i % 2].call }.uniq # => [:first, :second]

class Scoped
  LIMIT = 1
  def self.limit = self::LIMIT
  def limit = self.class::LIMIT
end
class Other < Scoped
  LIMIT = 2
end
40.times.map { |i| [[Scoped, Other][i % 2].limit, [Scoped, Other][i % 2].new.limit] }.uniq # => [[1, 1], [2, 2]]
