# Enumerable's methods of a set that need no iteration by block.
set = Set[3, 1, 2]
set.max # => 3
set.min # => 1
set.max(2) # => [3, 2]
set.min { |a, b| b <=> a } # => 3
set.minmax # => [1, 3]
set.sort # => [1, 2, 3]
set.sort { |a, b| b <=> a } # => [3, 2, 1]
set.sort_by { |x| -x } # => [3, 2, 1]
set.sort_by.class # => Enumerator
set.sum # => 6
set.sum(0.5) { |x| x * 2 } # => 12.5
Set[].max # => nil
Set["b", :a].max # raises ArgumentError
Set.instance_method(:max).owner # => Enumerable

class Backwards < Set
  def each
    yield 10
    self
  end
end
Backwards[1, 2].max # => 10

[5, 7, 3].max # => 7
[5, 7, 3, 1 << 70].max # => 1180591620717411303424
[5, 2.5, 3].min # => 2.5
[-(1 << 62), (1 << 62) - 1, 0].minmax # => [-4611686018427387904, 4611686018427387903]
[4, 2, 9].each.to_s[0, 16] # => "#<Enumerator:0x0"
