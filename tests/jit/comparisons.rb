# Comparisons that are no conditions give what their methods return.
# flags: --jit-threshold=2

def less(a, b) = a < b
def equal(a, b) = a == b
def unlike(a, b) = a != b

class Odd
  def ==(other) = :equal
  def <(other) = 7
  def !=(other) = nil
end

results = Array.new(50) do
  [less(Integer, String), less(Integer, Numeric), equal(Odd.new, 1), unlike(Odd.new, 2), less(Odd.new, 1), less(1, 2),
   equal("a", "a"), equal(:a, :b), unlike(nil, 1)]
end
results.uniq # => [[nil, true, :equal, nil, 7, true, true, false, true]]

# Integers beside Floats, also those that are no Float exactly.
numbers = [1, 1.5, 2**53, 2**53 + 1, (2**53).to_f, 2**62, (2**62).to_f, -2**61 - 1, Float::NAN]
table = -> { numbers.flat_map { |a| numbers.map { |b| [less(a, b), equal(a, b), unlike(a, b)] } } }
first = table.()
20.times.map { table.() == first }.uniq # => [true]
[less(2**53, (2**53).to_f), less((2**53).to_f, 2**53 + 1), equal(2**53 + 1, (2**53).to_f)] # => [false, true, false]

# Operators whose operands are of different kinds.
def mixed(a, b) = a * b + a / b - a
values = Array.new(60) { |i| i.even? ? mixed(i, 2.0) : mixed(i.to_f, 4) }
values.sum # => 4230.0
[mixed(3, 2), mixed(3.0, 2), mixed(3, 2.0), mixed(3r, 2)] # => [4, 4.5, 4.5, (9/2)]
