# Methods made by define_method, called from compiled code.
# flags: --jit-threshold=2

class Made
  attr_accessor :x
  def initialize = @x = 1
  factor = 3
  define_method(:none) { :none }
  define_method(:one) { |a| a }
  define_method(:two) { |a, b| [a, b, self.class] }
  define_method(:scaled) { |a| a * factor + x }
  define_method(:count) { |by| factor += by }
  define_method(:same_x) { @x }
  define_method(:x_is) { |v| @x = v }
  define_method(:optional) { |a, b = (a + 1)| [a, b] }
  define_method(:rest) { |a, *b| [a, b] }
  define_method(:keyed) { |a, b: 2| [a, b] }
  define_method(:early) do |list|
    list.each { |item| return item if item > 3 }
    :nothing
  end
  define_method(:early_next) { |a| next :small if a < 3; :large }
  define_method(:early_break) { |a| break :small if a < 3; :large }
  define_method(:early_return) { |a| return :small if a < 3; :large }
  define_method(:maker) { |a| -> { [a, factor, x] } }
  define_method(:named) { [__method__, block_given?] }
  define_method(:with_block) { |a, &block| block ? block.call(a) : a }
  define_method(:raises) { |a| raise "at #{a}" if a == 5; a }
  define_method(:long) do |a|
    a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1
    a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1
    a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1; a += 1
    return a + factor * 0 if a.odd?
    [a].map { |x| x + factor * 0 }[0]
  end
end

def repeated(n = 12) = Array.new(n) { yield it }
def plain(object, i) = [object.none, object.one(i), object.two(i, :b), object.scaled(i), object.same_x]
repeated { plain(Made.new, it) }.last # => [:none, 11, [11, :b, Made], 34, 1]
def counted(object) = object.count(1)
repeated { counted(Made.new) } # => [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
def others(object, i)
  [object.optional(i), object.optional(i, 0), object.rest(i), object.rest(i, 1, 2), object.keyed(i),
   object.keyed(i, b: 1)]
end
repeated { others(Made.new, it) }.last # => [[11, 12], [11, 0], [11, []], [11, [1, 2]], [11, 2], [11, 1]]
def leaving(object, i) = [object.early([1, i]), object.early_next(i), object.early_break(i), object.early_return(i)]
repeated(5) { leaving(Made.new, it) } # => [[:nothing, :small, :small, :small], [:nothing, :small, :small, :small], [:nothing, :small, :small, :small], [:nothing, :large, :large, :large], [4, :large, :large, :large]]
def closures(object, i) = object.maker(i).call
repeated { closures(Made.new, it) }.last # => [11, 15, 1]
def names(object) = [object.named, object.named { 1 }, object.with_block(1), object.with_block(2) { |a| a + 1 }]
repeated { names(Made.new) }.uniq # => [[[:named, false], [:named, false], 1, 3]]
def longer(object, i) = object.long(i)
repeated { longer(Made.new, it) } # => [36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47]
def written(object, i)
  object.x_is(i)
  object.x += 1
  object.same_x
end
repeated { written(Made.new, it) } # => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
def wrong(object, i) = i < 9 ? object.one(i) : object.one
(repeated { wrong(Made.new, it) } rescue $!.message) # => "wrong number of arguments (given 0, expected 1)"
def caught(object, i)
  object.raises(i)
rescue => e
  [e.message, e.backtrace_locations.first(2).map(&:label)]
end
repeated(7) { caught(Made.new, it) } # => [0, 1, 2, 3, 4, ["at 5", ["block in <class:Made>", "Object#caught"]], 6]
(Made.new.freeze.then { |o| repeated { o.x_is(1) } } rescue $!.class) # => FrozenError

# Methods of the same code have captured different variables.
class First; end
class Second; end
[[First, 1], [Second, 2]].each do |klass, number|
  klass.define_method(:number) { |by| number += by }
  klass.define_method(:which) { [number, self.class] }
end
def numbers(list) = list.map { |object| [object.number(0), object.which] }
numbers([First.new, Second.new] * 5).uniq # => [[1, [1, First]], [2, [2, Second]]]
def add_both(a, b) = [a.number(10), b.number(100)]
repeated(4) { add_both(First.new, Second.new) } # => [[11, 102], [21, 202], [31, 302], [41, 402]]

# `super`, `yield` to the block of the method around, instance_variable_get in them.
class Upper
  def greet(name) = "hello #{name}"
end
class Lower < Upper
  define_method(:greet) { |name| super(name) + "!" }
  def self.make = define_method(:made) { yield + 1 }
  make { 41 }
  %w[a b].each { |n| define_method("get_#{n}") { instance_variable_get("@#{n}") } }
  def initialize = (@a, @b = 1, 2)
end
def greeted(object) = [object.greet("you"), object.made, object.get_a, object.get_b]
repeated { greeted(Lower.new) }.uniq # => [["hello you!", 42, 1, 2]]
class Lower
  define_method(:implicit) { |a| super }
end
(repeated { Lower.new.implicit(1) } rescue $!.class) # => RuntimeError

# They are defined anew.
def redefined(object, n)
  list = []
  i = 0
  while i < n
    list << object.none
    Made.define_method(:none) { :other } if i == 4
    i += 1
  end
  list
end
redefined(Made.new, 7) # => [:none, :none, :none, :none, :none, :other, :other]
define_method(:top) { |a| a + 1 }
def tops(n)
  i = 0
  i = top(i) while i < n
  i
end
tops(5) # => 5
tops(500) # => 500
lambda_body = ->(a) { return a * 2 }
Made.define_method(:doubled, &lambda_body)
Made.define_method(:halved, proc { |a| a / 2 })
Made.define_method(:named_by_symbol, &:to_s)
def from_procs(object, i) = [object.doubled(i), object.halved(i)]
repeated { from_procs(Made.new, it) }.last # => [22, 5]
def deep(object, n) = n == 0 ? object.one(0) : object.one(deep(object, n - 1) + 1)
repeated(4) { deep(Made.new, 50) }.uniq # => [50]
Made.define_method(:down) { |n| n == 0 ? 0 : 1 + down(n - 1) }
repeated(4) { Made.new.down(100) }.uniq # => [100]
Made.define_method(:endless) { |n| endless(n + 1) }
(begin; Made.new.endless(0); rescue SystemStackError; :deep; end) # => :deep
