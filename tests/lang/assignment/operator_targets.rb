class Counter
  attr_accessor :n
  def [](k) = (@h ||= {})[k]
  def []=(k, v)
    (@h ||= {})[k] = v
  end
end
c = Counter.new
c.n ||= 1
c.n += 4
c.n # => 5
c[:a] ||= 2
c[:a] += 3
c[:a] # => 5
none = nil
none&.n += 1 # => nil
module M; end
M::LIMIT ||= 3
M::LIMIT # => 3
calls = 0
get = -> { calls += 1; c }
get.call.n += 1
calls # => 1
