a = [1, 2, 3, 4]
class Shrinker
  def initialize(array) = @array = array
  def to_int
    @array.clear
    1
  end
end
a[Shrinker.new(a), 2] # => nil
b = [1, 2, 3]
b.first(Shrinker.new(b)) # => []
c = [1, 2, 3, 4]
c.fill(0, Shrinker.new(c)).compact # => []
