# Peak memory of a hash from a million integers to a million small objects.
class Item
  def initialize(number)
    @number = number
    @name = "item"
  end
end

table = {}
1_000_000.times { |i| table[i] = Item.new(i) }
puts table.size
