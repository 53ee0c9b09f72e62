P = Struct.new(:x, :y) do
  def dist = Math.sqrt(x * x + y * y)
end
a = P.new(3, 4)
a # => #<struct P x=3, y=4>
a.dist # => 5.0
a.x = 5
a.to_a # => [5, 4]
a[:y] # => 4
a[1] # => 4
a["x"] # => 5
a[:z] # raises NameError: no member 'z' in struct
a[5] # raises IndexError: offset 5 too large for struct(size:2)
P.new(1) # => #<struct P x=1, y=nil>
P.new(1, 2, 3) # raises ArgumentError: struct size differs
P.new(1, 2) == P.new(1, 2) # => true
P.members # => [:x, :y]
a.to_h # => {x: 5, y: 4}
a.each.to_a # => [5, 4]
K = Struct.new(:a, :b, keyword_init: true)
K.new(a: 1, b: 2) # => #<struct K a=1, b=2>
K.new(1, 2) # raises ArgumentError: wrong number of arguments (given 2, expected 0)
K.new(c: 1) # raises ArgumentError: unknown keywords: c
P.new(x: 1, y: 2) # => #<struct P x=1, y=2>
b, c = *a
[b, c] # => [5, 4]
Struct.new("Named", :q).new(1) # => #<struct Struct::Named q=1>
Struct.new(:a, :a) # raises ArgumentError: duplicate member: a
a.eql?(a.dup) # => true
a.dig(:x) # => 5
a.values_at(0, 1) # => [5, 4]
P.new(1, P.new(2, 3)).inspect # => "#<struct P x=1, y=#<struct P x=2, y=3>>"
