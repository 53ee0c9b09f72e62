# What is fed is what yield returns, also when it was fed before the first value; peek keeps the value;
# overriding one method leaves the others.
source = Object.new
def source.each
  got = []
  got << (yield 1)
  got << (yield 2, 3)
  got << (yield)
  got << (yield nil)
  got
end
enum = source.to_enum
enum.feed(:a) # => nil
[enum.next, enum.peek] # => [1, [2, 3]]
enum.feed(:b) # => nil
enum.feed(:c) # raises TypeError: feed value already set
[enum.next, enum.next_values, enum.peek_values, enum.next_values] # => [[2, 3], [], [nil], [nil]]
finished = (enum.next rescue $!.result)
finished # => [:a, :b, nil, nil]
enum.peek # raises StopIteration: iteration reached an end
enum.rewind.next # => 1

[1, 2].each.freeze.next # raises FrozenError
failing = Enumerator.new { |y| y << 1; raise "failed" }
failing.next # => 1
failing.next # raises RuntimeError: failed
failing.next # => 1

class Doubled < Enumerator
  def next_values = super * 2
end

Doubled.new { |y| y << 1 }.then { |e| [e.peek, e.next] } # => [1, 1]

3.to_enum(:foo, 1, a: 2).inspect # => "#<Enumerator: 3:foo(1, a: 2)>"
source.enum_for(:each, 4, 5) { |*args| args }.size # => [4, 5]
5.then.size # => 1
method(:to_enum).arity # => -1
lazy = (1..3).lazy.select(&:odd?)
[lazy.next, lazy.peek, lazy.next] # => [1, 3, 3]
