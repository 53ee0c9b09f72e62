{ a: 1, b: 2 }.merge({ b: 3, c: 4 }) # => {a: 1, b: 3, c: 4}
{ a: 1, b: 2 }.merge({ b: 3 }) { |k, o, n| [k, o, n] } # => {a: 1, b: [:b, 2, 3]}
{ a: 1 }.merge # => {a: 1}
{ a: 1 }.merge({ b: 2 }, { c: 3 }) # => {a: 1, b: 2, c: 3}
h = { a: 1 }
h.update(b: 2) # => {a: 1, b: 2}
h # => {a: 1, b: 2}
h.replace({ z: 1 }) # => {z: 1}
{ a: 1 }.merge(5) # raises TypeError: no implicit conversion of Integer into Hash
# A copy is merged into: neither initialize_copy nor update of a subclass runs.
class MergedAlone < Hash
  def update(*) = raise
  def initialize_copy(other) = raise
end
own = MergedAlone[a: 1]
own.default = 5
own.instance_variable_set(:@note, 7)
own.merge({ b: 2 }) # => {a: 1, b: 2}
own.merge({ a: 2 }) { |_, x, y| x + y } # => {a: 3}
own.merge.class # => MergedAlone
own.merge[:none] # => 5
own.merge.instance_variable_get(:@note) # => 7
own.freeze.merge({ c: 3 }).frozen? # => false
{ "k" => 1 }.compare_by_identity.merge.compare_by_identity? # => true
