# needs: 4.0
# A direct subclass of Set is as in the older library; one of Set::CoreSet is not.
class Plain < Set; end
class Core < Set::CoreSet; end
class Loud < Set
  def add(item) = super(item.to_s)
end

Plain[1, 2] # => #<Plain: {1, 2}>
Core[1, 2] # => Core[1, 2]
Plain[1].class.ancestors.include?(Enumerable) # => true
Loud[1, 2] # => #<Loud: {"1", "2"}>
Loud.new([1]).merge([2]) # => #<Loud: {"1", "2"}>
Plain[1, 2] == Set[2, 1] # => true
Plain[1, 2] | [3] # => #<Plain: {1, 2, 3}>
Plain[1, 2].to_set # => Set[1, 2]
Plain[1, Plain[2]].flatten # => #<Plain: {1, 2}>
Plain[1, 2] <=> Plain[1] # => 1
Plain[1].superset?([1]) # raises ArgumentError: value must be a set
