# Core methods do not call what a program defines under the names of the runtime's own helpers.
# needs: 4.0
require_relative "fixtures/helper_names"

a = [3, 1, 2]
a.each { |x| x }.map { |x| x + 1 }                         # => [4, 2, 3]
[a.sum { |x| x }, a.count(1), a.tally, a.inject(:+)]       # => [6, 1, {3 => 1, 1 => 1, 2 => 1}, 6]
[a.min_by { |x| -x }, a.minmax, a.max(2), a.sort_by { -it }] # => [3, [1, 3], [3, 2], [3, 2, 1]]
a.each_slice(2).to_a                                       # => [[3, 1], [2]]
a.each_with_index.map { |x, i| x * i }                     # => [0, 1, 4]
a.dup.select! { |x| x > 1 }                                # => [3, 2]
a.dup.fill { |i| i }                                       # => [0, 1, 2]
Array.new(2) { |i| i }                                     # => [0, 1]
[a.zip([1, 2, 3]), a.product([1]).size, a.to_h { [it, 1] }] # => [[[3, 1], [1, 2], [2, 3]], 3, {3 => 1, 1 => 1, 2 => 1}]
[a.fetch(9) { 0 }, a.find_index(2), a.rindex(2), a.uniq { it % 2 }] # => [0, 2, 2, [3, 2]]
[a.shuffle.sort, a.sample(3).sort, a.each_cons(2).to_a]    # => [[1, 2, 3], [1, 2, 3], [[3, 1], [1, 2]]]
a.pack("U*").each_char.map(&:ord)                          # => [3, 1, 2]
[a.permutation.count, a.combination(2).to_a.size, a.cycle.first(4)] # => [6, 3, [3, 1, 2, 3]]

h = { a: 1, b: 2 }
[h.any?, h.map { |k, v| [k, v] }, h.select { |_, v| v > 1 }] # => [true, [[:a, 1], [:b, 2]], {b: 2}]
[h.sum { |_, v| v }, h.min_by { |_, v| v }, h.to_h { |k, v| [v, k] }] # => [3, [:a, 1], {1 => :a, 2 => :b}]
h.merge({ b: 3 }) { |_, x, y| x + y }                      # => {a: 1, b: 5}
h.each_with_object([]) { |(k, v), out| out << k << v }     # => [:a, 1, :b, 2]
[h.transform_values { it * 2 }, h.filter_map { |k, v| k if v > 1 }, h.group_by { |_, v| v.odd? }] # => [{a: 2, b: 4}, [:b], {true => [[:a, 1]], false => [[:b, 2]]}]
h.dup.delete_if { |_, v| v == 1 }                          # => {b: 2}
h.dup.update(h) { |*| 0 }                                  # => {a: 0, b: 0}

r = 1..4
[r.each_slice(2).to_a, r.step(2).to_a, r.sum, r.minmax]    # => [[[1, 2], [3, 4]], [1, 3], 10, [1, 4]]
[r.reverse_each.to_a, r.each_entry.to_a, r % 3, r.bsearch { it >= 3 }] # => [[4, 3, 2, 1], [1, 2, 3, 4], ((1..4).%(3)), 3]
[("a".."c").to_a, (1.0..2.0).step(0.5).to_a, r.count(&:even?), r.inject { |x, y| x * y }] # => [["a", "b", "c"], [1.0, 1.5, 2.0], 2, 24]
[1.step(5, 2).to_a, 3.times.to_a, 1.upto(3).map { it }, 3.downto(1).to_a] # => [[1, 3, 5], [0, 1, 2], [1, 2, 3], [3, 2, 1]]

s = "ab\ncd"
[s.each_line.to_a, s.each_char.to_a.size, s.bytes.size, s.upto("ab\nce").to_a] # => [["ab\n", "cd"], 5, 5, ["ab\ncd", "ab\nce"]]
[s.gsub(/[a-c]/) { it.upcase }, s.scan(/./).size, s.split("\n"), s.each_grapheme_cluster.count] # => ["AB\nCd", 4, ["ab", "cd"], 5]

S = Struct.new(*(:a..:l)) # more members than have functions of their own
S.new(*1..12).each.to_a.last                               # => 12
S.new(*1..12).l                                            # => 12
[Set[1, 2].map { it + 1 }, Set[1] | [2], Set[1, 2].select(&:odd?), Set[1].subset?(Set[1, 2])] # => [[2, 3], Set[1, 2], [1], true]

class List
  include Enumerable
  def each
    yield 2
    yield 1
  end
end
l = List.new
[l.sort, l.map { it }, l.first, l.min, l.max_by { it }, l.sum, l.tally, l.to_set] # => [[1, 2], [2, 1], 2, 1, 2, 3, {2 => 1, 1 => 1}, Set[2, 1]]
[l.each_slice(1).to_a, l.each_cons(2).to_a, l.zip(l), l.inject(:+), l.partition { it > 1 }] # => [[[2], [1]], [[2, 1]], [[2, 2], [1, 1]], 3, [[2], [1]]]
[l.lazy.map { it + 1 }.select(&:even?).to_a, l.each_entry.to_a, l.chunk_while { true }.to_a, l.include?(1)] # => [[2], [2, 1], [[2, 1]], true]
e = l.each_entry
[e.next, e.next, (e.next rescue $!.result)]                # => [2, 1, #<List:0xXX>]
[(1..).lazy.map { it * 2 }.reject { it % 3 == 0 }.with_index.first(2), [1].each.with_index(1).to_a] # => [[[2, 0], [4, 1]], [[1, 1]]]
[Enumerator.produce(1, &:succ).take(2), Enumerator::Chain.new([1], [2]).to_a, Enumerator.product([1], [2]).to_a] # => [[1, 2], [1, 2], [[1, 2]]]

[ENV.any?, ENV.key?("PATH"), Dir.exist?("."), Process.pid == $$] # => [true, true, true, true]
Thread::Mutex.new.synchronize { 1 }                        # => 1
Monitor.new.synchronize { 2 }                              # => 2
IO.pipe.then { |i, o| o.puts "x"; o.close; i.each_line.to_a } # => ["x\n"]
[Rational(1, 3).round(2), 10.pow(3, 7), 1.5.floor, Integer.sqrt(17)] # => [(33/100), 6, 1, 4]
(raise KeyError.new("x", receiver: h, key: 1) rescue [$!.key, $!.receiver.size]) # => [1, 2]
Primitive.respond_to?(:array_len)                          # => false
