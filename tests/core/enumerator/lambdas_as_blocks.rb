# Several yielded values reach a lambda one by one; one value stays one.
each_with_index = [5, 6].each_with_index
each_with_index.find(&->(x, i) { i == 1 }) # => [6, 1]
each_with_index.select(&->(x, i) { x == 5 }) # => [[5, 0]]
each_with_index.reject(&->(x, i) { x == 5 }) # => [[6, 1]]
each_with_index.map(&->(x, i) { x * i }) # => [0, 6]
each_with_index.group_by(&->(x, i) { i }) # => {0 => [[5, 0]], 1 => [[6, 1]]}
each_with_index.min_by(&->(x, i) { -i }) # => [6, 1]
each_with_index.partition(&->(x, i) { i == 0 }) # => [[[5, 0]], [[6, 1]]]
each_with_index.sort_by(&->(x, i) { -i }) # => [[6, 1], [5, 0]]
[[1, 2]].find(&->(a, b) { true }) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
[[1, 2]].each(&->(a, b) {}) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
