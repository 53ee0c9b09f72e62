# A key of a class of the program finds an entry whose key is a number, a string or a symbol, where `hash` and `eql?`
# say so: for the methods of the built-in classes give the numbers by which tables file them.

class Wrapped
  def initialize(value) = @value = value
  def hash = @value.hash
  def eql?(other) = @value.eql?(other)
end

values = [1, -3, 2**70, 1.5, 1e300, :a, "s", "\xff".b, nil, true, false, [1], 1..2, 3r, 2i, { a: 1 }, Object.new]
values.map { |value| { value => 1 }[Wrapped.new(value)] }.uniq # => [1]
values.map { |value| { value => 1 }.key?(Wrapped.new(value)) }.uniq # => [true]
many = 100.times.to_h { |i| [i, 0] }.merge(values.to_h { |value| [value, 1] })
values.map { |value| many[Wrapped.new(value)] }.uniq # => [1]
many.merge(values.to_h { |value| [Wrapped.new(value), 2] }).size == many.size # => true
(values.map { |value| Wrapped.new(value) } - values).size # => 0
(values.map { |value| Wrapped.new(value) } & values).size # => 17
values.map { |value| [Wrapped.new(value)].hash == [value].hash }.uniq # => [true]
values.map { |value| { [value] => 1 }[[Wrapped.new(value)]] }.uniq # => [1]
values.map { |value| Set[value].include?(Wrapped.new(value)) }.uniq # => [true]

# The other way round the built-in `eql?` says no.
{ Wrapped.new(1) => 1 }[1] # => nil

# Numbers that are not spread are spread by the table.
class Plain
  attr_reader :hash
  def initialize(hash) = @hash = hash
  def eql?(other) = @hash == other.hash
end

[1, 1 << 20, 1 << 32, 1 << 40, 1 << 57].map { |step| 1000.times.to_h { |i| [Plain.new(i * step), i] }[Plain.new(500 * step)] } # => [500, 500, 500, 500, 500]
{ Plain.new(2**64 + 1) => 1 }[Plain.new(2**64 + 1)] # => 1
