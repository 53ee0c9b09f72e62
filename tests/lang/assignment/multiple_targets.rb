class Box
  attr_accessor :value
  def []=(*args)
    (@log ||= []) << args
  end
  attr_reader :log
end
box = Box.new
box.value, box[1], box[2, 3] = 10, 20, 30
box.value # => 10
box.log # => [[1, 20], [2, 3, 30]]
h = {}
h[:a], @b, $c, D = 1, 2, 3, 4
[h, @b, $c, D] # => [{a: 1}, 2, 3, 4]
result = (x, y = 5, 6)
result # => [5, 6]

# Indexes with splats: what the call gets is nobody else's.
places = [1, 2]
box = Box.new
box[*places], box[0, *places], last = 3, 4, 5
box.log # => [[1, 2, 3], [0, 1, 2, 4]]
class Keeper
  attr_reader :read, :written
  def [](*places)
    @read = places
    1
  end
  def []=(*places)
    @written = places
  end
end
keeper = Keeper.new
keeper[*places] += 6
keeper.read # => [1, 2]
keeper.written # => [1, 2, 7]
keeper[0, *places] ||= 8
keeper.read # => [0, 1, 2]
places # => [1, 2]
