# The texts of deeply nested collections are one text, or are let go of level by level.
list = []
2_000.times { list = [list] }
list.inspect.size # => 4002
table = 1
2_000.times { table = {a: table} }
table.inspect.size # => 10001
Level = Struct.new(:inner)
record = nil
levels = ENV["RUBELLITE_STRESS"] == "gc" ? 100 : 2_000
levels.times { record = Level.new(record) }
collections = GC.count
record.inspect.size == 3 + levels * 22 # => true
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
named = Class.new(Hash) { def inspect = "own#{super}" }
{a: named[b: {c: named[1, [2]]}]}.inspect # => "{a: own{b: {c: own{1 => [2]}}}}"
Class.new(Hash)[1, [{}]].to_s # => "{1 => [{}]}"
around = {}
around[:a] = [around, {around => {}}]
around.inspect # => "{a: [{...}, {{...} => {}}]}"
{"é" => [1]}.inspect.encoding # => #<Encoding:UTF-8>
[{1 => ["é"]}].inspect.encoding # => #<Encoding:UTF-8>
[{1 => [2]}, "a"].inspect.encoding # => #<Encoding:US-ASCII>
[{a: 1}].inspect.encoding # => #<Encoding:US-ASCII>
{[{["é"] => 1}] => 2}.inspect # => "{[{[\"é\"] => 1}] => 2}"
Level.new([{a: [Level.new({})]}]).inspect # => "#<struct Level inner=[{a: [#<struct Level inner={}>]}]>"
