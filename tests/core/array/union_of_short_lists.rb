# Short lists are joined by eql? alone.
class Odd
  def hash = raise("not asked")
  def eql?(other) = other.is_a?(Odd)
end
([Odd.new] | [Odd.new, 1]).size # => 2
[Odd.new].union([2], [Odd.new]).size # => 2
([1, 2, 2] | [2, 3, 1.0]) # => [1, 2, 3, 1.0]
([*1..20] | [Odd.new]).size # raises RuntimeError: not asked
