# The texts of deeply nested collections are one text, or are let go of level by level.
list = []
2_000.times { list = [list] }
list.inspect.size # => 4002
table = 1
2_000.times { table = {a: table} }
collections = GC.count
table.inspect.size # => 10001
GC.count > collections # => true
table.hash == table.dup.hash # => true

# The encoding is that of what comes first, at any depth.
[[["é"]]].inspect.encoding # => #<Encoding:UTF-8>
[[[1]], "a"].inspect.encoding # => #<Encoding:US-ASCII>
[["a"], 1].inspect.encoding # => #<Encoding:UTF-8>
[[1], ["é"]].inspect # => "[[1], [\"é\"]]"
[[], [[]]].inspect # => "[[], [[]]]"
loop_in_it = [1]
loop_in_it << [loop_in_it, []]
loop_in_it.inspect # => "[1, [[...], []]]"
own = Class.new(Array) { def inspect = "own#{super}" }
[[own.new([1])]].inspect # => "[[own[1]]]"
[own.new([own.new([[2]])])].to_s # => "[own[own[[2]]]]"
