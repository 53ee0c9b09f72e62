# Reads and writes members of Struct and Data objects.
Point = Struct.new(:x, :y) do
  def move(dx, dy)
    self.x += dx
    self.y += dy
    self
  end
end
Options = Struct.new(:width, :height, keyword_init: true)
Colour = Data.define(:red, :green, :blue)

point = Point.new(0, 0)
sum = 0
1_200_000.times do |i|
  point.move(1, i & 1)
  sum += point.x ^ point.y
end
400_000.times do |i|
  options = Options.new(width: i, height: 2)
  sum += options.width * options.height
  sum += 1 if Point.new(i, 1) == Point.new(1, i)
end
colour = Colour.new(1, 2, 3)
300_000.times { |i| sum += colour.with(red: i & 255).red + colour.blue }
puts sum, point.to_a.inspect
