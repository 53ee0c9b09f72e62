# Loops that fibers interrupt, and that are compiled anew meanwhile: objects get variables one after the other.
# flags: --jit-threshold=2

class Counter
  def initialize(i)
    @a = 1 if i % 2 == 0
    @b = 2 if i % 3 == 0
    @i = i
  end

  def sum = (@a || 0) + (@b || 10) + (@c ? 100 : @i)
  def mark = @c = true
end

def sums(n)
  source = Fiber.new do
    i = 0
    while true
      counter = Counter.new(i)
      counter.mark if i % 5 == 4
      Fiber.yield(counter)
      i += 1
    end
  end
  total = 0
  n.times do |k|
    counter = source.resume
    total += counter.sum
    total += 1000 if counter.is_a?(Counter) && k == n - 1
  end
  total
end
sums(5) # => 1143
sums(60) # => 4062
sums(60) # => 4062

class Steps
  def each
    i = 0
    while i < 30
      yield i, self
      @seen = i if i > 10
      @late = i if i > 20
      i += 1
    end
    :end
  end
  attr_reader :seen, :late
end

def taken
  steps = Steps.new.to_enum
  list = []
  loop do
    i, me = steps.next
    list << i + (me.seen || 0) + (me.late || 0)
  end
  list.sum
end
taken # => 982
taken # => 982

def answered(n)
  enum = Enumerator.new { |y| n.times { |i| y.yield(i); y << [i, i]; y.yield } ; :result }
  list = []
  begin
    while true
      list << enum.next
    end
  rescue StopIteration => e
    list << e.result
  end
  list
end
answered(2) # => [0, [0, 0], nil, 1, [1, 1], nil, :result]
answered(9).size # => 28

asked = Fiber.new { Fiber.current.alive? }
[asked.alive?, asked.resume, asked.alive?] # => [true, true, false]
def states(n) = Array.new(n) { fiber = Fiber.new { 1 }; [fiber.alive?, fiber.resume, fiber.alive?] }.uniq
states(1) # => [[true, 1, false]]
states(9) # => [[true, 1, false]]
def same(n) = Array.new(n) { Fiber.current.equal?(Fiber.current) }.uniq
same(3) # => [true]
same(9) # => [true]
bad = Fiber.allocate
def alive(fiber) = fiber.alive?
alive(bad) # raises FiberError: uninitialized fiber
alive(asked) # => false
alive(asked) # => false
alive(bad) # raises FiberError: uninitialized fiber
