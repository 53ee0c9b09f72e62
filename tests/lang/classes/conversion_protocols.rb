class A
  def to_s = "A!"
  def to_str = "astr"
  def to_ary = [1, 2]
  def to_a = [3]
  def to_hash = { k: 1 }
  def to_proc = ->(x) { x * 2 }
  def to_int = 7
  def to_sym = :sym
end
x = A.new
"#{x}" # => "A!"
"pre" + x # => "preastr"
a, b = x
[a, b] # => [1, 2]
[*x] # => [3]
[[0], x].flatten # => [0, 1, 2]
def kw(**o) = o
kw(**x) # => {k: 1}
[1].map(&x) # => [2]
[5, 6, 7, 8, 9, 10, 11, 12][x] # => 12
Array(x) # => [1, 2]
Integer(x) # => 7
String(x) # => "astr"
[1, 2] + x # => [1, 2, 1, 2]
class Bad; def to_s = 5; end
"#{Bad.new}".sub(/0x\h+/, "0x") # => "#<Bad:0x>"
class BadStr; def to_str = 5; end
"a" + BadStr.new # raises TypeError: can't convert BadStr into String (BadStr#to_str gives Integer)
