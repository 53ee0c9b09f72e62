# `break`, `next` and `return` out of literal blocks.
# flags: --jit-threshold=2

def repeated(n = 12) = Array.new(n) { yield it }

def find_in(list, wanted)
  list.each { |item| return item if item == wanted }
  nil
end
repeated { find_in([1, 2, 3], it) } # => [nil, 1, 2, 3, nil, nil, nil, nil, nil, nil, nil, nil]
def index_by(list)
  list.each_with_index { |item, i| return i if yield item }
  -1
end
repeated { |n| index_by([1, 5, 9]) { |item| item > n } } # => [0, 1, 1, 1, 1, 2, 2, 2, 2, -1, -1, -1]
def broken(list, limit) = list.each { |item| break item * 2 if item > limit }
repeated(5) { broken([1, 2, 3], it) } # => [2, 4, 6, [1, 2, 3], [1, 2, 3]]
def counted_loop(limit)
  i = 0
  value = loop do
    i += 1
    break i if i > limit
    next if i.odd?
    break :even if i == 8
  end
  [value, i]
end
repeated { counted_loop(it) }.last(5) # => [[8, 8], [:even, 8], [:even, 8], [:even, 8], [:even, 8]]
def nested(n)
  sum = 0
  n.times do |i|
    n.times do |j|
      next if j == i
      break if j > 3
      return [:returned, i, j] if i == 5 && j == 2
      sum += i * j
    end
  end
  sum
end
repeated(8) { nested(it) } # => [0, 0, 0, 4, 22, 46, [:returned, 5, 2], [:returned, 5, 2]]
def two_floats(n)
  x = 0.5
  r = n.times { |i| x += 1.5; break x if x > 6 }
  [x, r]
end
repeated(6) { two_floats(it) } # => [[0.5, 0], [2.0, 1], [3.5, 2], [5.0, 3], [6.5, 6.5], [6.5, 6.5]]

# A method in Ruby that yields, with its own block in between.
class Bag
  include Enumerable
  def initialize(*items) = @items = items
  def each
    @items.each { |item| yield item }
    self
  end
  def each_until(stop)
    @items.each do |item|
      return :stopped if item == stop
      yield item
    end
    :all
  end
  def mine
    each { |item| return yield(item) if item > 1 }
  end
end
def bags(n)
  bag = Bag.new(1, 2, 3)
  [bag.find { |x| x > n }, bag.each { |x| break x if x == n }.class, bag.each_until(n) { |x| x },
   bag.any? { |x| x == n }, bag.mine { |x| x * n },
   bag.first, bag.include?(n), bag.each_until(9) { |x| break x + 10 if x == n },
   bag.each_until(9) { |x| return :out if x == n && n == 3 }]
end
repeated(5) { bags(it) } # => [[1, Bag, :all, false, 0, 1, false, :all, :all], [2, Integer, :stopped, true, 2, 1, true, 11, :all], [3, Integer, :stopped, true, 4, 1, true, 12, :all], :out, [nil, Bag, :all, false, 8, 1, false, :all, :all]]

# What is to be run on the way out runs.
def ensured(n)
  log = []
  value = begin
    n.times do |i|
      begin
        next if i == 1
        break [:broken, i] if i == 3
        return [:returned, i, log] if i == 2 && n == 3
      ensure
        log << i
      end
    end
  ensure
    log << :end
  end
  [value, log]
end
repeated(6) { ensured(it) } # => [[0, [:end]], [1, [0, :end]], [2, [0, 1, :end]], [:returned, 2, [0, 1, 2, :end]], [[:broken, 3], [0, 1, 2, 3, :end]], [[:broken, 3], [0, 1, 2, 3, :end]]]
def yields_with_ensure(log)
  yield 1
ensure
  log << :ensured
end
def leaves(n)
  log = []
  a = yields_with_ensure(log) { |x| break n if n > 2; x }
  yields_with_ensure(log) { return [n, log] if n > 4 }
  [a, log]
end
repeated(7) { leaves(it) }.values_at(0, 3, 5) # => [[1, [:ensured, :ensured]], [3, [:ensured, :ensured]], [5, [:ensured, :ensured]]]
def rescued(n)
  [1, 2].each do |x|
    begin
      raise "a" if n == 3
      return x if n == 4
    rescue
      break :rescued
    end
  end
end
repeated(6) { rescued(it) } # => [[1, 2], [1, 2], [1, 2], :rescued, 1, [1, 2]]
def stopped
  loop do
    raise StopIteration, "no" if yield
    break :broken
  end
end
repeated(4) { |i| stopped { i == 2 } } # => [:broken, :broken, nil, :broken]

# Blocks that became objects.
def holds(&block) = block
def called(n)
  block = holds { |x| return [:from_block, x] if x > 2; x }
  [block.call(n), n]
end
repeated(5) { called(it) } # => [[0, 0], [1, 1], [2, 2], [:from_block, 3], [:from_block, 4]]
def orphan = holds { |x| break x }
(repeated { orphan.call(it) } rescue $!.class) # => LocalJumpError
def orphan_return = holds { |x| return x }
(repeated { orphan_return.call(it) } rescue $!.message) # => "unexpected return"
def by_lambda(n)
  double = ->(x) { return x * 2 if x > 1; break x if x == 1; next :zero }
  [double.call(n), double.(n + 1)]
end
repeated(3) { by_lambda(it) } # => [[:zero, 1], [1, 4], [4, 6]]
def lambda_with_block(n) = ->(list) { list.each { |x| return x if x > n }; :none }.call([1, 2, 3])
repeated(5) { lambda_with_block(it) } # => [1, 2, 3, :none, :none]
def passes_on(list, &block) = list.each(&block)
def through(n)
  passes_on([1, 2, 3]) { |x| return x * 10 if x == n }
  :through
end
repeated(5) { through(it) } # => [:through, 10, 20, 30, :through]
def breaks_through(n) = passes_on([1, 2, 3]) { |x| break x * 10 if x == n }
repeated(5) { breaks_through(it) } # => [[1, 2, 3], 10, 20, 30, [1, 2, 3]]

class Early
  attr_reader :made
  def initialize(n)
    [1, 2, 3].each { |x| @made = x; return if x == n }
    @made = :end
  end
end
def made(n) = Early.new(n).made
repeated(5) { made(it) } # => [:end, 1, 2, 3, :end]

# What is called on the way still sees the frames.
def location = caller_locations(1, 2).map(&:label)
def located(n)
  [1, 2].each { |x| return location if x == n }
  location
end
repeated(4) { located(it) }.uniq # => [["Object#located", "block in <main>"], ["block in Object#located", "Array#each"]]
def changed(list, n)
  sum = 0
  list.each do |x|
    eval("class Integer; def odd_one = #{n}; end") if x == 3
    break sum if x == n
    sum += x
  end
end
repeated(5) { changed([1, 2, 3, 4], it) } # => [[1, 2, 3, 4], 0, 1, 3, 6]
def while_in_block(n)
  [10, 20].each do |x|
    i = 0
    while true
      i += 1
      break if i > n
      return [x, i] if i == 3
    end
  end
end
repeated(4) { while_in_block(it) } # => [[10, 20], [10, 20], [10, 20], [10, 3]]
