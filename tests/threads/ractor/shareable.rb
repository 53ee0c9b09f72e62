# Objects that every ractor may see.
# needs: 4.0
[1, 2**100, 1.5, 1r, 2i, :a, nil, true, Object, Kernel, Ractor.current, "a".freeze, /x/, (1..2), [1].freeze].all? { Ractor.shareable?(it) } # => true
["a".dup, [], {}, Object.new, [+""].freeze, proc {}, Thread.current].any? { Ractor.shareable?(it) } # => false

nested = { [1] => ["a", { b: +"c" }], set: Set[[]] }
Ractor.make_shareable(nested).equal?(nested) # => true
Ractor.shareable?(nested) # => true
nested[[1]][1][:b].frozen? # => true
nested[:set].first.frozen? # => true
original = [+"x"]
copied = Ractor.make_shareable(original, copy: true)
[original.frozen?, original[0].frozen?, copied.frozen?, copied[0].frozen?] # => [false, false, true, true]
round = []
round << round
Ractor.shareable?(Ractor.make_shareable(round)) # => true
Ractor.make_shareable(Thread.new {}) rescue $!.class # => Ractor::Error
stubborn = Object.new
def stubborn.freeze = self
Ractor.make_shareable(stubborn) # raises Ractor::Error: #freeze does not freeze object correctly

# Blocks.
number = 1
Ractor.shareable_proc { number + 1 }.call # => 2
Ractor.shareable_lambda { |x| [self, x] }.call(3) # => [nil, 3]
Ractor.shareable_proc(self: 5) { self }.call # => 5
Ractor.shareable_proc(self: []) {} # raises Ractor::IsolationError: self should be shareable: []
text = +"t"
Ractor.shareable_proc { text } # raises Ractor::IsolationError: cannot make a shareable Proc because it can refer unshareable object "t" from variable 'text'
count = 0
Ractor.shareable_proc { count += 1 } # raises Ractor::IsolationError: can not make a Proc shareable because it accesses outer variables (count).
again = 1
again = 2
Ractor.shareable_proc { again } # raises Ractor::IsolationError: cannot make a shareable Proc because the outer variable 'again' may be reassigned.
Ractor.shareable_proc {}.binding # raises ArgumentError: Can't create Binding from isolated Proc
class Doubling
  factor = 2
  define_method(:twice, &Ractor.shareable_lambda { |x| x * factor })
end
Warning[:experimental] = false
Ractor.new { Doubling.new.twice(4) }.value # => 8

# Moved objects.
moved = [+"inner", { key: [1] }]
moved.instance_variable_set(:@name, +"n")
inner = moved[0]
taker = Ractor.new { given = Ractor.receive; given << 2; [given, given.instance_variable_get(:@name)] }
taker.send(moved, move: true)
taker.value # => [["inner", {key: [1]}, 2], "n"]
Ractor::MovedObject === moved # => true
Ractor::MovedObject === inner # => true
moved.size # raises Ractor::MovedError: can not send any methods to a moved object
moved == 1 # raises Ractor::MovedError: can not send any methods to a moved object
[].concat(moved) # raises Ractor::MovedError: can not send any methods to a moved object
taker = Ractor.new { Ractor.receive }
taker.send([proc {}], move: true) # raises Ractor::Error: can not move Proc object.
taker << nil

# Constants under the comment.
eval <<~'RUBY'
  # shareable_constant_value: literal
  LITERAL = ["a", ["b#{1}", { "k" => /x/ }]]
  # shareable_constant_value: experimental_everything
  EVERYTHING = [Object.new, +"x"]
  # shareable_constant_value: experimental_copy
  SOURCE = nil
  list = [+"y"]
  COPY = list
  list << 1
  # shareable_constant_value: none
  FREE = []
RUBY
[LITERAL, EVERYTHING, COPY, FREE].map { Ractor.shareable?(it) } # => [true, true, true, false]
COPY # => ["y"]
eval "# shareable_constant_value: literal\nmodule Kernel; REFUSED = [Object.new]; end" # raises Ractor::IsolationError: cannot assign unshareable object to REFUSED
