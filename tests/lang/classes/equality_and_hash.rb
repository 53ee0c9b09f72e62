class P
  attr_reader :x
  def initialize(x) = @x = x
  def ==(o) = o.is_a?(P) && x == o.x
  alias eql? ==
  def hash = [P, x].hash
end
P.new(1) == P.new(1) # => true
P.new(1).equal?(P.new(1)) # => false
{ P.new(1) => :found }[P.new(1)] # => :found
[P.new(1), P.new(1), P.new(2)].uniq.size # => 2
[P.new(1)] - [P.new(1)] # => []
1 == 1.0 # => true
1.eql?(1.0) # => false
1.equal?(1) # => true
"a".eql?("a") # => true
"a".equal?("a") # => false
:a.equal?(:a) # => true
[1, [2]] == [1, [2]] # => true
{ 1 => :a }.key?(1.0) # => false
Float::NAN == Float::NAN # => false
[Float::NAN] == [Float::NAN] # => true
