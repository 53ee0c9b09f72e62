# What an enumeration gives to Fiber.yield is what `next` hands out, as it is;
# Fiber.yield answers with the fiber that asked.
mixed = Enumerator.new { |y| y << 1; Fiber.yield 99; y << 2; :done }
Array.new(3) { mixed.next } # => [1, 99, 2]
mixed.next # raises StopIteration: iteration reached an end
(mixed.next rescue $!.result) # => :done
mixed.rewind
[mixed.peek, mixed.next, mixed.peek, mixed.next, mixed.peek, mixed.next] # => [1, 1, 99, 99, 2, 2]
mixed.rewind
Array.new(3) { mixed.next_values } # => [[1], 99, [2]]
mixed.to_a # raises FiberError: attempt to yield on a not resumed fiber
inside = Fiber.new { mixed.to_a }
[inside.resume, inside.resume] # => [99, [1, 2]]

def given(*values) = Enumerator.new { |y| Fiber.yield(*values); y << :after }
given.then { |e| [e.peek, e.next, e.next] } # => [nil, nil, :after]
given(nil).then { |e| [e.peek, e.next, e.next] } # => [nil, nil, :after]
given(false).then { |e| [e.peek, e.next, e.next] } # => [false, false, :after]
given(1, 2).then { |e| [e.peek, e.next, e.next] } # => [[1, 2], [1, 2], :after]
given([7]).then { |e| [e.peek, e.next_values, e.next] } # => [7, [7], :after]
given([]).then { |e| [e.peek, e.peek_values, e.next] } # => [nil, [], nil]
given("text").then { |e| [e.peek, e.next_values, e.next_values] } # => ["text", "text", [:after]]
given(a: 1).then { |e| [e.peek, e.next] } # => [{a: 1}, {a: 1}]
list = [1, 2]
given(list).then { |e| [e.peek.equal?(list), e.next.equal?(list)] } # => [false, true]

asked = Enumerator.new { |y| y << Fiber.yield(1).equal?(Fiber[:asking]) }
asked.next # => 1
Fiber.new { Fiber[:asking] = Fiber.current; asked.next }.resume # => false
answering = Enumerator.new { Fiber.yield }
answering.next # => nil
(answering.next rescue $!.result).equal?(Fiber.current) # => true

fed = Object.new
def fed.each = [yield(1), Fiber.yield(3).class, yield(2)]
fed = fed.to_enum
[fed.next, fed.feed(:a), fed.next, fed.feed(:b), fed.next] # => [1, nil, 3, nil, 2]
(fed.next rescue $!.result) # => [:a, Fiber, :b]

sized = Enumerator.new(3) { |y| Fiber.yield 1; y << 2 }
[sized.size, sized.next, sized.size, sized.next, sized.size] # => [3, 1, 3, 2, 3]

Fiber[:kept] = 1
stored = Enumerator.new { |y| y << Fiber[:kept]; Fiber[:kept] = 2; Fiber.yield Fiber[:kept]; y << Fiber[:kept] }
[stored.next, Fiber[:kept], stored.next, Fiber[:kept], stored.next] # => [1, 1, 2, 1, 2]

lazy = (1..2).lazy.map { |i| Fiber.yield i; i * 10 }
Array.new(4) { lazy.next } # => [1, 10, 2, 20]

# Somebody else may resume the fiber of an enumeration, to its end.
taken = Enumerator.new { |y| $taken = Fiber.current; y << 1; y << 2; :end }
[taken.next, $taken.resume, $taken.resume] # => [1, [2], nil]
(taken.next rescue $!.result) # => :end

# A frozen one looks at nothing, not even at what it has peeked at.
frozen = [1, 2].each.tap(&:peek).freeze
frozen.peek # raises FrozenError: can't modify frozen Enumerator: #<Enumerator: [1, 2]:each>
frozen.next # raises FrozenError: can't modify frozen Enumerator: #<Enumerator: [1, 2]:each>

# Each later end is an exception of its own, which comes from the first.
ended = [].each
ends = Array.new(3) { ended.next rescue $! }
ends.map(&:message).uniq # => ["iteration reached an end"]
ends.map(&:result) # => [[], [], []]
ends.map { |e| ends.index { |other| other.equal?(e.cause) } } # => [nil, 0, 0]
