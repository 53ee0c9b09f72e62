# Instance variables of objects of all kinds: many shapes, outside the cell, of classes, Strings and exceptions.
# flags: --jit-threshold=2

class Many
  NAMES = ("a".."z").map { |c| :"@#{c}" }
  def initialize(n) = NAMES.first(n).each { |name| instance_variable_set(name, n) }
  def sum = (@a || 0) + (@m || 0) + (@z || 0)
  def put(value)
    @q = value
    @b = value
    self
  end
  def both = [@q, @b]
end
def sums(list) = list.map { |item| item.sum }
sums(Array.new(27) { Many.new(it) }).sum # => 650
sums([Many.new(26)] * 9).sum # => 702
def puts_all(list) = list.map { |item| item.put(7).both }
puts_all(Array.new(27) { Many.new(it) }).uniq # => [[7, 7]]

class Counter
  @count = 0
  class << self
    attr_accessor :count
    def add
      @count += 1
      @last ||= @count
    end
  end
end
10.times { Counter.add }
[Counter.count, Counter.add] # => [10, 1]

class Text < String
  def mark(n)
    @mark = n
    self
  end
  def marked = @mark
end
class Oops < StandardError
  def initialize(n)
    @n = n
    super("oops #{@n}")
  end
  attr_reader :n
end
def marks(n) = Array.new(n) { |i| [Text.new("a").mark(i).marked, Oops.new(i).n, Text.new("b").marked] }
marks(4) # => [[0, 0, nil], [1, 1, nil], [2, 2, nil], [3, 3, nil]]

class Integer
  def variable = @nothing
  def variable=(value)
    @nothing = value
  end
end
def of_integers(n) = Array.new(n) { |i| i.variable }
of_integers(4) # => [nil, nil, nil, nil]
def into_integers(n) = n.times { |i| i.variable = 1 }
(into_integers(4) rescue $!.message) # => "can't modify frozen Integer: 0"
(into_integers(4) rescue $!.message) # => "can't modify frozen Integer: 0"

class Frozen
  def initialize = @a = 1
  def set(n)
    @a = n
    @b = n
  end
  attr_writer :a
end
def sets(list) = list.each_with_index { |item, i| item.set(i) }
list = Array.new(5) { Frozen.new }
sets(list).size # => 5
list[3].freeze
(sets(list) rescue $!.class) # => FrozenError
def writes(list) = list.each { |item| item.a = 2 }
(writes(list) rescue $!.class) # => FrozenError
list.map { |item| item.instance_variables } # => [[:@a, :@b], [:@a, :@b], [:@a, :@b], [:@a, :@b], [:@a, :@b]]

# Floats are written to the frame where code is left.
def floats(n, at)
  a = 0.5
  b = 1e300
  c = -0.0
  i = 0
  while i < n
    a += 1.5
    b *= 2.0
    c -= 0.0
    d = a * 2
    i == at ? (raise "here") : nil
    i += 1
  end
  [a, b, c, d]
rescue => e
  [a, b, c, d, i]
end
floats(5, -1) # => [8.0, 3.2e+301, -0.0, 16.0]
floats(5, 3) # => [6.5, 1.6e+301, -0.0, 13.0, 3]
floats(50, 40) # => [62.0, Infinity, -0.0, 124.0, 40]
