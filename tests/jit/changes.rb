# What changes while compiled code runs: methods, operators, constants, classes of receivers.
# flags: --jit-threshold=2

def twice = 2
def sum_of_calls(n, at)
  i = sum = 0
  while i < n
    sum += twice
    eval("def twice = 20") if i == at
    i += 1
  end
  sum
end
sum_of_calls(10, -1) # => 20
sum_of_calls(10, 4) # => 110
sum_of_calls(10, -1) # => 200

LIMIT = 3
def limited(n, at)
  list = []
  n.times do |i|
    list << LIMIT
    if i == at
      Object.send(:remove_const, :LIMIT)
      Object.const_set(:LIMIT, 4)
    end
  end
  list
end
limited(5, -1) # => [3, 3, 3, 3, 3]
limited(5, 2) # => [3, 3, 3, 4, 4]

class Point
  attr_accessor :x
  def initialize(x) = @x = x
  def double = @x * 2
end
def doubles(list) = list.map { |point| point.double }
points = Array.new(5) { Point.new(it) }
doubles(points) # => [0, 2, 4, 6, 8]
def (points[2]).double = :mine
doubles(points) # => [0, 2, :mine, 6, 8]
points[3].instance_variable_set(:@y, 1)
points[4].x = "ab"
doubles(points) # => [0, 2, :mine, 6, "abab"]
points[1].freeze
def set(list) = list.each { |point| point.x = 7 }
(set(points) rescue $!.class) # => FrozenError
points.map(&:x) # => [7, 1, 2, 3, "ab"]

# A method that is made private is not called from outside any more.
def first_double(points) = points.first.double
4.times { first_double(points) }
class Point; private :double; end
(first_double(points) rescue $!.class) # => NoMethodError

# Operators of core classes.
def add_all(n, at)
  i = sum = 0
  while i < n
    sum += 1
    Integer.class_eval { alias_method(:plain_plus, :+); def +(other) = plain_plus(other).plain_plus(100) } if i == at
    i = i.succ
  end
  sum
end
add_all(5, -1) # => 5
add_all(5, 2) # => 205
class Integer
  alias_method :+, :plain_plus
end
add_all(5, -1) # => 5
