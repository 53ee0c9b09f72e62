class Same
  attr_reader :n
  def initialize(n) = @n = n
  def hash = 1
  def eql?(o) = n == o.n
end
h = {}
100.times { |i| h[Same.new(i)] = i }
h[Same.new(57)] # => 57
h.size # => 100
50.times { |i| h.delete(Same.new(i)) }
h.size # => 50
big = {}
10_000.times { |i| big[i] = i }
big[9_999] # => 9999
5_000.times { |i| big.delete(i * 2) }
big.size # => 5000
big.first # => [1, 1]
big.keys.last # => 9999
