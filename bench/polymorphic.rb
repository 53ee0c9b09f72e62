# The same call on objects of one, two, four and many classes.
class Shape
  def initialize(size)
    @size = size
  end

  def name
    self.class.name.size
  end
end

SHAPES = Array.new(8) do |i|
  Class.new(Shape) do
    define_singleton_method(:name) { "Shape#{i}" }
    class_eval "def area; @size * #{i + 1}; end"
    class_eval "def ==(other); other.is_a?(Shape) && area == other.area; end"
  end
end
OBJECTS = SHAPES.map { |klass| klass.new(3) }

def run(objects, times)
  mask = objects.size - 1
  sum = i = 0
  while i < times
    object = objects[i & mask]
    sum += object.area
    sum += object.name
    i += 1
  end
  sum
end

puts run(OBJECTS.first(1), 500_000)
puts run(OBJECTS.first(2), 500_000)
puts run(OBJECTS.first(4), 500_000)
puts run(OBJECTS, 500_000)
mixed = [1, 2.5, "3", :four, nil, [5], { six: 6 }, 7r]
puts 400_000.times.sum { |i| mixed[i & 7].to_s.size }
