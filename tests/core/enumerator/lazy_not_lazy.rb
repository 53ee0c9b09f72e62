# Lazy#each_with_index is not lazy with a block; a name of its own is no other name in messages.
seen = []
(1..3).lazy.each_with_index { |x, i| seen << [x, i] } # => 1..3
seen # => [[1, 0], [2, 1], [3, 2]]
(1..3).lazy.each_with_index # => #<Enumerator::Lazy: #<Enumerator::Lazy: 1..3>:each_with_index>
(1..3).lazy.collect # raises ArgumentError: tried to call lazy map without a block
(1..3).lazy.find_all # raises ArgumentError: tried to call lazy select without a block
(1..3).lazy.collect_concat # raises ArgumentError: tried to call lazy flat_map without a block
(1..3).lazy.reject # raises ArgumentError: tried to call lazy reject without a block
(1..3).lazy.first(1, 2) # raises ArgumentError: wrong number of arguments (given 2, expected 0..1)
(1..3).lazy.drop(1.5) # => #<Enumerator::Lazy: #<Enumerator::Lazy: 1..3>:drop(1.5)>
(1..3).lazy.with_index(true).class # => Enumerator::Lazy
(1..3).lazy.with_index(true).to_a # raises TypeError: no implicit conversion of true into Integer
(1..3).lazy.to_s.sub(/0x\h+/, "0x") # => "#<Enumerator::Lazy:0x>"
