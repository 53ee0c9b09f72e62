e = [1, 2, 3].each
e.next # => 1
e.peek # => 2
e.next # => 2
e.next # => 3
e.next # raises StopIteration: iteration reached an end
e.rewind
e.next # => 1
e.size # => 3
gen = Enumerator.new do |y|
  y << 1 << 2
  y.yield 3, 4
  :done
end
gen.to_a # => [1, 2, [3, 4]]
gen.next # => 1
gen.next # => 2
gen.next # => [3, 4]
(gen.next rescue $!.result) # => :done
gen.with_index(1).to_a # => [[1, 1], [2, 2], [[3, 4], 3]]
[4, 5].each_with_index.to_a # => [[4, 0], [5, 1]]
%w[a b].each.with_object([]).each { |x, acc| acc << x } # => ["a", "b"]
Enumerator.produce(1) { |x| x * 2 }.take(5) # => [1, 2, 4, 8, 16]
[1, 2].each.inspect # => "#<Enumerator: [1, 2]:each>"
(1..3).each_slice(2).inspect # => "#<Enumerator: 1..3:each_slice(2)>"
e + [9] # => #<Enumerator::Chain: [#<Enumerator: [1, 2, 3]:each>, [9]]>
(e + [9]).to_a # => [1, 2, 3, 9]
