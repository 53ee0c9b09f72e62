# What a lazy `with_index` gives is two values to the next step and one to a block at the end.
lazy = (1..3).lazy
lazy.with_index.map { |x| x }.to_a # => [1, 2, 3]
lazy.with_index.map(&->(x, i) { [x, i] }).to_a # => [[1, 0], [2, 1], [3, 2]]
lazy.each_with_index.select { |x| x.is_a?(Array) }.to_a # => [[1, 0], [2, 1], [3, 2]]
lazy.with_index.take(2).map { |x, i| x * i }.to_a # => [0, 2]
lazy.with_index.drop(1).to_a # => [[2, 1], [3, 2]]
lazy.with_index.uniq.map { |x| x }.to_a # => [1, 2, 3]
lazy.with_index.filter_map { |x| x }.to_a # => [1, 2, 3]
lazy.with_index.first # => [1, 0]
lazy.with_index.next # => [1, 0]
lazy.with_index.inject { |a, b| [a, b] } # => [[[1, 0], [2, 1]], [3, 2]]
seen = []
lazy.with_index.each { |x| seen << x }
seen # => [[1, 0], [2, 1], [3, 2]]
# `to_enum` of a method that is a step runs the method of Enumerable.
lazy.to_enum(:map).first(2) # => [1, 2]
lazy.to_enum("with_index", 10).map { |x, i| [x, i] }.first(2) # => [[1, 10], [2, 11]]
# What a source yields as several values is packed by the first step that passes it on.
pairs = Class.new { include Enumerable; def each = yield(1, 2) }.new
seen = []
pairs.lazy.take(1).each { |x| seen << x }
pairs.lazy.select { true }.each { |x| seen << x }
seen # => [[1, 2], [1, 2]]
pairs.lazy.take(1).to_a # => [[1, 2]]
