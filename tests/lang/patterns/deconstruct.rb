class Point
  attr_reader :x, :y
  def initialize(x, y) = (@x, @y = x, y)
  def deconstruct = [x, y]
  def deconstruct_keys(keys)
    $keys = keys
    { x: x, y: y }
  end
end
(case Point.new(1, 2); in [a, b] then [a, b] end) # => [1, 2]
(case Point.new(1, 2); in { x:, y: } then [x, y] end) # => [1, 2]
$keys # => [:x, :y]
(case Point.new(1, 2); in { x:, **rest } then rest end) # => {y: 2}
$keys # => nil
(case Point.new(3, 4); in Point(x:, y: 4) then x end) # => 3
(case Point.new(3, 4); in Point[a, b] then a + b end) # => 7
S = Struct.new(:l, :r)
(case S.new(1, S.new(2, 3)); in [l, [m, r]] then [l, m, r] end) # => [1, 2, 3]
(case S.new(1, 2); in { l: 1, r: } then r end) # => 2
D = Data.define(:w, :h)
(case D.new(w: 1, h: 2); in { w:, h: } then w + h end) # => 3
class Bad; def deconstruct = 1; end
(case Bad.new; in [a] then a end) # raises TypeError: deconstruct must return Array
