# Calls in compiled code where refinements decide, and that hear of what changes.
# flags: --jit-threshold=3

module Numbers
  refine Integer do
    def double = self * 2
    def shown = "n#{self}"
    def even? = "odd?"
    private def hidden = 1
    def reached = hidden + 1
    alias twice double
  end
  refine String do
    def shown = "s#{self}"
    def double = self + self
    def size = super + 100
  end
end

module Plain
  def self.double_of(x) = x.double
  def self.size_of(x) = x.size
  def self.label = Name.new.label
end
[(Plain.double_of(1) rescue $!.class), Plain.size_of("abc")] # => [NoMethodError, 3]

using Numbers

def shown(x) = x.shown
def sizes(list) = list.map { |x| x.size }
def evens(list) = list.map { |x| x.even? }
def doubles(n)
  sum = 0
  i = 0
  while i < n
    sum += i.double + i.twice
    i += 1
  end
  sum
end
12.times.map { shown(it.even? == "odd?" ? 7 : "x") }.uniq # => ["n7"]
12.times.map { |i| shown(i % 2 == 0 ? i : i.to_s) } # => ["n0", "s1", "n2", "s3", "n4", "s5", "n6", "s7", "n8", "s9", "n10", "s11"]
12.times.map { sizes(["ab", [1], { a: 1 }]) }.uniq # => [[102, 1, 1]]
12.times.map { evens([1, 2]) }.uniq # => [["odd?", "odd?"]]
3.times.map { doubles(50) }.uniq # => [4900]
8.times.map { (1.hidden rescue $!.class) }.uniq # => [NoMethodError]
8.times.map { 1.reached }.uniq # => [2]
8.times.map { |i| i.instance_eval { double } } # => [0, 2, 4, 6, 8, 10, 12, 14]
8.times.map { (Plain.double_of(1) rescue $!.class) }.uniq # => [NoMethodError]
8.times.map { Plain.size_of("abc") }.uniq # => [3]

# A refined method is defined anew, and a class gets a method of the name.
module Numbers
  refine(Integer) { def double = self * 3 }
end
3.times.map { doubles(50) }.uniq # => [6125]
class Float
  def shown = "f"
end
6.times.map { shown(1.5) }.uniq # => ["f"]
class Symbol
  def shown = "y"
  private def double = 1
end
6.times.map { |i| [shown(:a), shown(i), shown("b"), shown(2.5)] }.uniq.size # => 6
6.times.map { (:a.double rescue $!.class) }.uniq # => [NoMethodError]

# A module that is refined comes to a class.
module Shape
end
module Shapes
  refine(Shape) { def area = 5 }
end
class Square
  def area = 1
end
using Shapes
class Circle
  def area = 2
end
class Round < Circle
end
def area(shape) = shape.area
8.times.map { [area(Square.new), area(Round.new)] }.uniq # => [[1, 2]]
class Round
  include Shape
end
8.times.map { [area(Square.new), area(Round.new)] }.uniq # => [[1, 5]]
class Square
  prepend Shape
end
8.times.map { [area(Square.new), area(Round.new)] }.uniq # => [[5, 5]]
one = Circle.new
8.times.map { area(one) }.uniq # => [2]
one.extend(Shape)
8.times.map { area(one) }.uniq # => [5]

# One code in several scopes, which CRuby mixes up in the last two checks: the scope decides.
module Texts
  def label = "#{self}: #{tag}"
  def tag = "plain"
end
class Name
  include Texts
  def to_s = "name"
end
module Labels
  refine Name do
    def tag = "refined"
    import_methods Texts
    def tag = "refined again"
  end
end
8.times.map { Plain.label }.uniq # => ["name: plain"]
using Labels
8.times.map { Name.new.label }.uniq # => ["name: refined again"]
8.times.map { Plain.label }.uniq # => ["name: plain"]
8.times.map { [Name.new.label, Plain.label] }.uniq # => [["name: refined again", "name: plain"]]

# `using` between two rounds of the same code.
module Later
  refine(Array) { def total = sum * 10 }
end
class Array
  def total = sum
end
round = 0
totals = []
while round < 10
  using Later if round == 5
  totals << [1, 2].total
  round += 1
end
totals # => [3, 3, 3, 3, 3, 30, 30, 30, 30, 30]
