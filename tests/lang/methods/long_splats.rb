# Arguments of a long splat: what rest parameters hold is a list of its own, whoever is changed afterwards.
list = (0...5000).to_a
def rest(*a) = a
def split(a, b = :none, *c, d) = [a, b, c, d]
def with_keywords(*a, k: 0) = [a, k]
def with_hash(*a) = a.last
def mixed(a, *c, **k) = [a, c.size, k]
class Shrinks
  def initialize(list) = @list = list
  def to_hash
    @list.clear
    { k: 1 }
  end
end

all = rest(*list)
all.equal?(list) # => false
all == list # => true
all << :more
all[0] = :first
[list.size, list[0]] # => [5000, 0]
kept = rest(*list)
list[1] = :changed
list << 5000
[kept.size, kept[1]] # => [5000, 1]
a, b, c, d = split(*list)
[a, b, c.size, c[0], c[-1], d] # => [0, :changed, 4998, 2, 4999, 5000]
c.clear
list.size # => 5001
rest(*list, *list).size # => 10002
rest(1, *list, 2).values_at(0, 1, -1) # => [1, 0, 2]
with_keywords(*list, k: 5).then { |got, k| [got.size, k] } # => [5001, 5]
with_hash(*list, k: 5) # => {k: 5}
rest(*list, k: 5).size # => 5002
mixed(*list, z: 1) # => [0, 5000, {z: 1}]
list.size # => 5001
[].push(*list).size # => 5001
[].push(*list, k: 1).last # => {k: 1}
many = (0...200_000).to_a
rest(*many).sum # => 19999900000
[].push(*many).sum # => 19999900000
copy = [].push(*many)
copy[0] = :other
many[0] # => 0
->(x, *y) { [x, y.size] }.call(*many) # => [0, 199999]
proc { |x, *y| [x, y.size] }.call(many) # => [0, 199999]
proc { |*y| y.size }.call(*many) # => 200000
split(*many[0, 40]).then { |x| [x[0], x[1], x[2].size, x[3]] } # => [0, 1, 37, 39]
forward = ->(*x, **k) { rest(*x, **k).size }
forward.call(*many, a: 1) # => 200001
mixed(*(0...100), **Shrinks.new([])) # => [0, 99, {k: 1}]
given = (0...100).to_a
mixed(*given, **Shrinks.new(given)).last # => {k: 1}
split(*list, **{}).last # => 5000
