# Methods that count in Ruby code of the VM go on doing so when a program redefines operators of Integer and Array.
module Doubling
  def <<(item) = super(item * 2)
end

class Integer
  alias original_plus +
  def +(other) = 0
end
class Array
  prepend Doubling
end
mapped = [1, 2, 3].map { |i| i }
selected = [1, 2, 3].select { true }
folded = [1, 2, 3].inject(:+)
collected = (1..3).each_slice(2).to_a
seen = []
(1..3).each { |i| seen.push(i) }
sum = 1 + 2
class Integer
  alias + original_plus
end

mapped # => [1, 2, 3]
selected # => [1, 2, 3]
folded # => 0
collected # => [[1, 2], [3]]
seen # => [1, 2, 3]
sum # => 0
