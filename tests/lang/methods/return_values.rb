def one = 1
def many
  return 1, 2
end
many # => [1, 2]
def bare
  return
end
bare # => nil
def splat
  return *[1, 2], 3
end
splat # => [1, 2, 3]
(def named; end) # => :named
def setter=(x)
  :ignored
end
(self.setter = 5) # => 5
def from_block
  [1, 2, 3].each { |x| return x if x == 2 }
  :none
end
from_block # => 2
