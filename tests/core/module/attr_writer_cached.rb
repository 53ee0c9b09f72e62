# Writers through call caches: new variables, known ones, frozen objects, redefinition

class Point
  attr_accessor :x, :y
end
points = Array.new(3) { Point.new }
points.each_with_index { |point, i| point.y = i; point.x = i * 2; point.y += 1 }
points.map { |point| [point.x, point.y] } # => [[0, 1], [2, 2], [4, 3]]
def set(point, value) = point.x = value
points.each { |point| set(point, 5) }
points.first.instance_variables # => [:@y, :@x]
set(points[0].freeze, 1) rescue $!.class # => FrozenError
set(points[1], 7) # => 7
class Point
  def x=(value)
    @x = -value
  end
end
set(points[1], 7) # => 7
points[1].x # => -7
set(1, 2) rescue $!.class # => NoMethodError
