# An index that answers as a Range is one.
Duck = Struct.new(:begin, :end) do
  def exclude_end? = false
end
"abcd"[Duck.new(1, 2)] # => "bc"
[0, 1, 2][Duck.new(0, 1)] # => [0, 1]
list = [0, 1, 2]
list[Duck.new(0, 1)] = [9]
list # => [9, 2]
"abc"[(0..).step(1)] # raises TypeError: no implicit conversion of Enumerator::ArithmeticSequence into Integer
"abc"[Object.new] # raises TypeError: no implicit conversion of Object into Integer
