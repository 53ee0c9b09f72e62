e = [1, 2, 3].each
  e.with_index(1).to_a # => [[1, 1], [2, 2], [3, 3]]
  e.each_with_index.map { |x, i| x * i } # => [0, 2, 6]
  e.size # => 3
  e.rewind.class # => Enumerator
[1, 2].each_slice(2).size # => 1
[4, 5].each.with_index.with_index(10).to_a # => [[[4, 0], 10], [[5, 1], 11]]
Enumerator.new { |y| y << 1; y.yield(2, 3); y << 4 << 5 }.to_a # => [1, [2, 3], 4, 5]
Enumerator.new(3) { }.size # => 3
Enumerator::Chain.new([1], [2]).to_a # => [1, 2]
([1].each + [2]).inspect # => "#<Enumerator::Chain: [#<Enumerator: [1]:each>, [2]]>"
Enumerator.produce([0, 1]) { |a, b| [b, a + b] }.take(5).map(&:first) # => [0, 1, 1, 2, 3]
Enumerator.produce { 7 }.first(2) # => [7, 7]
Enumerator::Product.new([1, 2], [3]).to_a # => [[1, 3], [2, 3]]
"abc".each_char.with_index.to_a # => [["a", 0], ["b", 1], ["c", 2]]
3.times.with_object(:o).to_a # => [[0, :o], [1, :o], [2, :o]]
[1, 2, 3].each_entry.to_a # => [1, 2, 3]
loop { break 5 } # => 5
(1..3).each_with_index.select { |x, i| i > 0 } # => [[2, 1], [3, 2]]
z = [1, 2].each
z.next
z.next
z.next # raises StopIteration: iteration reached an end
z.next rescue $!.result # => [1, 2]
[5].each.next_values # => [5]
[1, 2].to_enum(:map).with_index { |x, i| x + i } # => [1, 3]
Object.new.to_enum(:foo, 1).inspect.sub(/0x\h+/, "0x") # => "#<Enumerator: #<Object:0x>:foo(1)>"
(1..3).each_cons(2).size # => 2
[1, 2, 3].each.take(2) # => [1, 2]
