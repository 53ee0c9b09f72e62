(1..Float::INFINITY).lazy.map { |x| x * 2 }.select { |x| x % 3 == 0 }.first(3) # => [6, 12, 18]
(1..3).lazy # => #<Enumerator::Lazy: 1..3>
(1..3).lazy.map { _1 }.inspect # => "#<Enumerator::Lazy: #<Enumerator::Lazy: 1..3>:map>"
(1..20).lazy.reject(&:even?).take_while { |x| x < 10 }.to_a # => [1, 3, 5, 7, 9]
(1..3).lazy.flat_map { |x| [x, x] }.to_a # => [1, 1, 2, 2, 3, 3]
(1..3).lazy.zip(4..6).to_a # => [[1, 4], [2, 5], [3, 6]]
log = []
(1..3).lazy.map { |x| log << x; x }.first # => 1
log # => [1]
(1..4).lazy.filter_map { |x| x * 2 if x.even? }.force # => [4, 8]
(1..3).lazy.eager.class # => Enumerator
(1..6).lazy.each_slice(2).first(2) # => [[1, 2], [3, 4]]
(1..3).lazy.with_index.map { |x, i| x * i }.to_a # => [0, 2, 6]
