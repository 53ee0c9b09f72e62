D = Data.define(:w, :h) do
  def area = w * h
  def self.square(n) = new(n, n)
end
d = D.new(w: 2, h: 3)
d # => #<data D w=2, h=3>
d.area # => 6
D.new(4, 5) # => #<data D w=4, h=5>
D.square(2) # => #<data D w=2, h=2>
d.with(h: 10) # => #<data D w=2, h=10>
d.to_h # => {w: 2, h: 3}
d == D.new(2, 3) # => true
d.frozen? # => true
D.new(1) # raises ArgumentError: missing keyword: :h
D.new(1, 2, 3) # raises ArgumentError: wrong number of arguments (given 3, expected 0..2)
D.new(w: 1, h: 2, z: 3) # raises ArgumentError: unknown keyword: :z
d.instance_variable_set(:@w, 1) # raises FrozenError: can't modify frozen D: #<data D w=2, h=3>
D.members # => [:w, :h]
d.w = 1 # raises NoMethodError: undefined method 'w=' for an instance of D
E = Data.define
E.new # => #<data E>
d.inspect # => "#<data D w=2, h=3>"
D.new(w: 1, h: d) # => #<data D w=1, h=#<data D w=2, h=3>>
F = Data.define(:a) do
  def initialize(a:) = super(a: Integer(a))
end
F.new("12") # => #<data F a=12>
d.hash == D.new(2, 3).hash # => true
{ d => 1 }[D.new(2, 3)] # => 1
