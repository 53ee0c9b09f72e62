# Calls with keywords and optional arguments, and `new`.
# flags: --jit-threshold=2

def keywords(a, b: 1, c: a + b) = [a, b, c]
def give_keywords(n) = Array.new(n) { |i| i.even? ? keywords(i, c: 0) : keywords(i, b: i) }
give_keywords(3) # => [[0, 1, 0], [1, 1, 2], [2, 1, 0]]
give_keywords(4) # => [[0, 1, 0], [1, 1, 2], [2, 1, 0], [3, 3, 6]]

def swapped(x:, y:, z: 9) = [x, y, z]
def give_swapped(n)
  i = 0
  while i < n
    list = swapped(y: i, x: i + 0.5)
    i += 1
  end
  list
end
give_swapped(5) # => [4.5, 4, 9]

def optional(a, b = a * 2, c = b + 1)
  d = a
  [a, b, c, d]
end
def give_optional(n)
  list = []
  i = 0
  while i < n
    list = [optional(i), optional(i, 1), optional(i, 1, 2)]
    i += 1
  end
  list
end
give_optional(3) # => [[2, 4, 5, 2], [2, 1, 2, 2], [2, 1, 2, 2]]
give_optional(6) # => [[5, 10, 11, 5], [5, 1, 2, 5], [5, 1, 2, 5]]

# Locals behind optional arguments begin as nil each time.
def fresh(a, b = 1)
  c = a if a == 2
  c
end
def give_fresh(n) = Array.new(n) { |i| [fresh(i), fresh(i, 2)] }
give_fresh(4) # => [[nil, nil], [nil, nil], [2, 2], [nil, nil]]

def with_block(a, b = 2, &block) = [a, b, block]
def give_no_block(n) = Array.new(n) { |i| with_block(i) }
give_no_block(3) # => [[0, 2, nil], [1, 2, nil], [2, 2, nil]]

# Captured ones lie in an environment.
def captured(a, b: a, c: 3) = [1, 2].map { |x| x + a + b + c }
def give_captured(n) = Array.new(n) { |i| captured(i, c: 1) }
give_captured(3) # => [[2, 3], [4, 5], [6, 7]]

# Wrong ones raise as ever.
def give_wrong(n) = n.times { |i| i < 5 ? keywords(i, b: 2) : keywords(i, d: 2) }
(give_wrong(9) rescue $!.message) # => "unknown keyword: :d"

class Vector
  attr_reader :x, :y
  def initialize(x, y)
    @x = x
    @y = y
  end
  def +(other) = Vector.new(@x + other.x, @y + other.y)
  def -(other) = Vector.new(@x - other.x, @y - other.y)
  def *(number) = Vector.new(@x * number, @y * number)
  def -@ = Vector.new(-@x, -@y)
  def ==(other) = @x == other.x && @y == other.y
  def <(other) = @x < other.x
  def [](at) = at == 0 ? @x : @y
  def []=(at, value)
    at == 0 ? @x = value : @y = value
    :not_this
  end
  def <<(value)
    @x = value
    self
  end
end
def vectors(n)
  sum = Vector.new(0, 0.0)
  i = 0
  while i < n
    sum = sum + Vector.new(i, 1) * 2 - Vector.new(1, 0)
    sum = -sum if sum < Vector.new(0, 0)
    sum[1] = (sum[1] += 1)
    i += 1
  end
  [sum.x, sum.y]
end
vectors(3) # => [5, 5.0]
vectors(300) # => [89402, 896.0]
def same(list, item) = list.count { |other| item == other }
same([Vector.new(1, 2), Vector.new(1, 3)], Vector.new(1, 2)) # => 1
same(Array.new(9) { Vector.new(it % 3, 2) }, Vector.new(1, 2)) # => 3
def assigned(vector) = (vector[0] = 7)
Array.new(4) { assigned(Vector.new(0, 0)) } # => [7, 7, 7, 7]
def pushed(item, n)
  n.times { item << it }
  item
end
pushed(Vector.new(1, 1), 5).x # => 4
pushed([], 5) # => [0, 1, 2, 3, 4]
pushed(+"a", 3) # => "a\u0000\u0001\u0002"

# Operands of several classes.
def add(a, b) = a + b
def add_all(list) = list.map { |a, b| add(a, b) }
add_all([[1, 2], ["a", "b"], [1.5, 1], [[1], [2]], [1 << 62, 1]]) # => [3, "ab", 2.5, [1, 2], 4611686018427387905]
add_all([["a", "b"]] * 20).last # => "ab"
add_all([[1, 2], ["a", "b"], [1.5, 1], [[1], [2]], [1 << 62, 1]]) # => [3, "ab", 2.5, [1, 2], 4611686018427387905]
(add_all([["a", 1]]) rescue $!.message) # => "no implicit conversion of Integer into String"
def equal(a, b) = a == b
def equals(list) = list.map { |a, b| equal(a, b) }
pairs = [["a", "a"], ["a", "b"], [:a, :a], [nil, false], [1, 1.0], [1.5, 1.5], [[1], [1]], ["a", :a], [nil, nil],
         ["a", nil]]
equals(pairs) # => [true, false, true, false, true, true, true, false, true, false]
equals(pairs * 5).count(true) # => 30

# An operator that is defined anew counts at once.
def plus(list) = list.sum(Vector.new(0, 0)) { |v| v + v }.x
plus(Array.new(5) { Vector.new(1, 1) }) # => 10
class Vector
  def +(other) = Vector.new(@x * 10 + other.x, 0)
end
plus(Array.new(2) { Vector.new(1, 1) }) # => 121

# `new` of classes that change.
class Plain; end
def plains(n) = Array.new(n) { Plain.new.class }.uniq
plains(5) # => [Plain]
class Plain
  def initialize = @made = true
  attr_reader :made
end
def made(n) = Array.new(n) { Plain.new.made }
made(5) # => [true, true, true, true, true]
class Plain
  def self.new = :instead
end
def mades(n) = Array.new(n) { Plain.new }
mades(3) # => [:instead, :instead, :instead]
class Keyed
  attr_reader :all
  def initialize(a, b: 2)
    return if a == 3
    @all = [a, b]
  end
end
def keyeds(n) = Array.new(n) { |i| (i.even? ? Keyed.new(i, b: i) : Keyed.new(i)).all }
keyeds(5) # => [[0, 0], [1, 2], [2, 2], nil, [4, 4]]
(Array.new(6) { |i| Keyed.new(*[i] * i) } rescue $!.message) # => "wrong number of arguments (given 0, expected 1)"
class Raises
  def initialize(n)
    raise "at #{n}" if n == 4
    @n = n
  end
end
def raises(n)
  i = 0
  while i < n
    Raises.new(i)
    i += 1
  end
rescue => e
  [e.message, e.backtrace_locations.first(2).map(&:label), i]
end
raises(9) # => ["at 4", ["Raises#initialize", "Object#raises"], 4]
raises(9) # => ["at 4", ["Raises#initialize", "Object#raises"], 4]

# What `super` leads to depends on where a method stands among the ancestors.
module Loud
  def name = super + "!"
end
class Base
  def name = "base"
end
class Parent < Base
  include Loud
end
class One < Parent; end
class Two < Parent
  include Module.new
  include Module.new
end
def names(list) = list.map { |item| item.name }
names([One.new, Two.new] * 3) # => ["base!", "base!", "base!", "base!", "base!", "base!"]
