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
