require "set"
s = Set.new([1, 2, 2, 3])
s.size # => 3
s.to_a # => [1, 2, 3]
s.include?(2) # => true
s === 2 # => true
s.add(4).size # => 4
s << 4 # => Set[1, 2, 3, 4]
s.add?(4) # => nil
s.add?(5).class # => Set
s.delete(1).to_a # => [2, 3, 4, 5]
(Set[1, 2] | Set[2, 3]).to_a # => [1, 2, 3]
(Set[1, 2] & [2, 3]).to_a # => [2]
(Set[1, 2] - [2]).to_a # => [1]
(Set[1, 2] ^ Set[2, 3]).to_a.sort # => [1, 3]
Set[1, 2] == Set[2, 1] # => true
Set[1].subset?(Set[1, 2]) # => true
Set[1, 2] <= Set[1, 2] # => true
Set[1, 2] < Set[1, 2] # => false
Set[1, 2].superset?([1].to_set) # => true
Set[1].disjoint?(Set[2]) # => true
Set[1, 2].intersect?(Set[2]) # => true
Set[3, 1].sort # => [1, 3]
Set[1, 2].map { |x| x * 2 } # => [2, 4]
Set[1, 2].group_by(&:odd?) # => {true => [1], false => [2]}
Set[1, [1]].flatten.size # => 2
Set[1, 2].partition(&:odd?) # => [[1], [2]]
[1, 1].to_set.size # => 1
Set[1, 2].hash == Set[2, 1].hash # => true
{ Set[1] => :x }[Set[1]] # => :x
Set[1].frozen? # => false
Set[1].freeze << 2 # raises FrozenError: can't modify frozen Set: Set[1]
Set.new(5) # raises ArgumentError: value must be enumerable
Set[1, 2].select(&:even?).class # => Array
Set.new([1, 2]) { |x| x * 10 }.to_a # => [10, 20]
Set[1, 2].first # => 1
Set[1, 2].min # => 1
Set[1, 2].delete_if(&:odd?).to_a # => [2]
Set[1, 2].merge([3], [4]).to_a # => [1, 2, 3, 4]
Set[1].eql?(Set[1]) # => true
Set[1, 2] <=> Set[1] # => 1
Set[1, 2].join("-") # => "1-2"
