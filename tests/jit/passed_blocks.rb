# Literal blocks that a method does not yield to: it ignores them, asks for them, passes them on, keeps them.

require_relative "fixtures/turns"

def ignores = :ignored
def asks = block_given?
def keeps(&block) = block
def yields(a) = yield(a)
def twice(a) = yield(yield(a))
def passes(a, &block) = yields(a, &block)
def passes_far(a, &block) = passes(a, &block)
def passes_twice(a, &block) = [yields(a, &block), twice(a, &block)]
def passes_anonymous(a, &) = yields(a, &)
def asks_further(&block) = asks(&block)
def asks_far(&block) = asks_further(&block)
def passes_other(a, &block) = yields(a) { |x| block ? block.call(x) : x }
def passes_in_block(a, &block) = [a].map { |x| yields(x, &block) }
def binds = binding

turns { ignores { raise } } # => :ignored
turns { asks {} } # => true
turns { asks } # => false
turns { |i| keeps { i + 1 }.call } # => 60
turns { |i| passes(i) { |x| x + 1 } } # => 60
turns { |i| passes_far(i) { |x| x + 2 } } # => 61
turns { |i| passes_twice(i) { |x| x + i } } # => [118, 177]
turns { |i| passes_anonymous(i) { |x| x * 2 } } # => 118
turns { asks_further {} } # => true
turns { asks_further } # => false
turns { asks_far {} } # => true
turns { asks_far } # => false
turns { asks_far(&nil) } # => false
turns { asks_far(&:to_s) } # => true
turns { |i| passes_other(i) { |x| x - 1 } } # => 58
turns { |i| passes_other(i) } # => 59
turns { |i| passes_in_block(i) { |x| x.to_s } } # => ["59"]
turns { |i| passes(i, &:to_s) } # => "59"
turns { |i| passes_far(i, &i.method(:+)) } # => 118
turns { 5.times.map { |i| passes(i) { |x| x * x } } } # => [0, 1, 4, 9, 16]
20.times.map { passes(1) rescue $!.class }.uniq # => [LocalJumpError]

# Leaving blocks that were passed on.
def left(a) = passes_far(a) { |x| return x + 1000 }
turns { |i| left(i) } # => 1059
turns { |i| passes_far(i) { |x| break x + 2000 } } # => 2059
turns { |i| passes_far(i) { |x| next x + 3000 } } # => 3059
def ensured(a, &block)
  yields(a, &block)
ensure
  $ensured = a
end
turns { |i| ensured(i) { |x| break x } } # => 59
$ensured # => 59

# Variables that the block shares.
def counts
  count = 0
  passes(1) { count += 1 }
  passes_far(1) { count += 10 }
  ignores { count += 100 }
  count
end
turns { counts } # => 11

# The method changes while it runs.
turns { |i| eval("def ignores = yield") if i == 30; ignores { i } } # => 59
turns { |i| eval("def passes(a, &block) = [a, block.call(a)]") if i == 30; passes_far(i) { |x| x + 1 } } # => [59, 60]

# A binding of a method that has a block, and a Proc that is made of it in the middle.
turns { |i| binds { i }.eval("block_given?") } # => true
def made_meanwhile(a, &block)
  first = yields(a, &block)
  kept = keeps(&block)
  [first, kept.call(a), yields(a, &block), block.call(a)]
end
turns { |i| made_meanwhile(i) { |x| x + 1 } } # => [60, 60, 60, 60]

# Methods of objects, with attributes and optional arguments.
class Holder
  def initialize = @list = []
  def add(a, b = 2, &block) = @list << passes_on(a + b, &block)
  def passes_on(a) = block_given? ? yield(a) : a
  attr_reader :list
end
holder = Holder.new
turns { |i| holder.add(i) { |x| -x }; holder.add(i, 1); holder.list.last(2) } # => [-61, 60]
