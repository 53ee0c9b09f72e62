# Blocks in compiled code: captured variables, bindings, closures that outlive their round, yields of all kinds.
# flags: --jit-threshold=2

def counters
  list = []
  total = 0
  4.times do |i|
    own = i * 10
    list << -> { total += own += 1 }
  end
  [list.map(&:call), list.map(&:call), total]
end
3.times.map { counters }.uniq # => [[[1, 12, 33, 64], [66, 78, 100, 132], 132]]

def with_binding(n)
  values = []
  n.times { |i| local = i + 1; values << binding.local_variable_get(:local) << eval("local * 2") }
  values
end
3.times.map { with_binding(3) }.uniq # => [[1, 2, 2, 4, 3, 6]]

def pairs = yield(1, 2)
def one = yield([3, 4])
def none = yield
def rest = yield(5, 6, 7)
def each_way(&block) = [pairs(&block), one(&block), none(&block), rest(&block)]
3.times.map { each_way { |a, b| [a, b] } }.uniq # => [[[1, 2], [3, 4], [nil, nil], [5, 6]]]
3.times.map { each_way { |a| a } }.uniq # => [[1, [3, 4], nil, 5]]
3.times.map { each_way { |*a| a } }.uniq # => [[[1, 2], [[3, 4]], [], [5, 6, 7]]]
3.times.map { each_way { |a, (b, c), d: 1| [a, b, c, d] } }.uniq # => [[[1, 2, nil, 1], [3, 4, nil, 1], [nil, nil, nil, 1], [5, 6, nil, 1]]]
def literal = [pairs { |a, b| a + b }, pairs { |a| a }, one { |a, b| a * b }, none { 9 }, rest { |a, b| a * b }]
3.times.map { literal }.uniq # => [[3, 1, 12, 9, 30]]

def nested(n)
  sum = 0
  n.times { |i| i.upto(n) { |j| [i, j].each { |k| sum += k } } }
  sum
end
3.times.map { nested(6) }.uniq # => [156]

class Box
  include Enumerable
  def initialize(*items) = @items = items
  def each
    return to_enum unless block_given?
    @items.each { |item| yield item }
    self
  end
  def total = @items.inject(0) { |sum, item| sum + item }
end
box = Box.new(3, 1, 2)
3.times.map { [box.map { |x| x + 1 }, box.sort, box.inject { |a, b| a * b }, box.each_slice(2).to_a, box.total, box.include?(2), box.each.next] }.uniq # => [[[4, 2, 3], [1, 2, 3], 6, [[3, 1], [2]], 6, true, 3]]

def again(n)
  tries = 0
  n.times do
    tries += 1
    redo if tries == 2
  end
  tries
end
3.times.map { again(3) }.uniq # => [4]

def given = block_given? ? yield : :none
3.times.map { [given, given { 1 }, given(&nil), given(&-> { 2 })] }.uniq # => [[:none, 1, :none, 2]]
def last_match(list) = list.map { |text| text =~ /(\d+)/ ? $1.to_i : $~ }
3.times.map { last_match(%w[a1 b c22]) }.uniq # => [[1, nil, 22]]
def self.recursive(n, &block) = n == 0 ? block.call : recursive(n - 1) { yield + 1 }
3.times.map { recursive(5) { 10 } }.uniq # => [15]

# Yields to whatever block was given, and calls of Procs.
def each_two(list)
  i = 0
  while i < list.size
    yield list[i], i
    i += 1
  end
end
def give_blocks(list)
  all = []
  each_two(list) { |a, b| all << [a, b] }
  each_two(list) { |a| all << a }
  each_two(list) { |a, b, c| all << [a, c] }
  each_two(list) { |a, *b| all << b }
  each_two(list) { all << 0 }
  each_two(list) { |a, b| next if b == 0; all << [1, 2].map { |x| x * a } }
  all
end
Array.new(4) { give_blocks([5, 6]) }.uniq # => [[[5, 0], [6, 1], 5, 6, [5, nil], [6, nil], [0], [1], 0, 0, [6, 12]]]
def through(list, &block) = each_two(list, &block)
sum = 0
4.times { through([1, 2, 3]) { |a, b| sum += a * b } }
sum # => 32
through([:a]) { |a, b| break [a, b] } # => [:a, 0]
def found(list) = through(list) { |a, b| return b if a == 3 }
Array.new(4) { found([1, 2, 3, 4]) } # => [2, 2, 2, 2]
def call_all(procs, x) = procs.map { |f| f.call(x) }
procs = [->(x) { x + 1 }, proc { |x, y| [x, y] }, proc { |x| next x * 2; 0 }, :succ.to_proc, 5.method(:+).to_proc,
         proc { |x,| x }, lambda { |x| return x; 0 }]
Array.new(5) { call_all(procs, 3) }.uniq # => [[4, [3, nil], 6, 4, 8, 3, 3]]
call_all(procs.reject(&:lambda?), [1, 2]) # => [[1, 2], [1, 2, 1, 2], 1]
def call_none(f) = f.call
Array.new(5) { (call_none(->(x) { x }) rescue $!.message) }.uniq # => ["wrong number of arguments (given 0, expected 1)"]
def counter
  n = 0
  -> { n += 1 }
end
c = counter
Array.new(5) { call_none(c) } # => [1, 2, 3, 4, 5]
def raises_in(f)
  f.call(1)
rescue ZeroDivisionError => e
  e.backtrace_locations.first(3).map(&:label)
end
Array.new(4) { raises_in(->(x) { x / 0 }) }.uniq # => [["Integer#/", "block (2 levels) in <main>", "Object#raises_in"]]
