# `<<` of Strings in compiled code.

def add(s, t) = s << t
def add_two(s, t, u) = s << t << u
def warm = 1200.times { add(+"a", "b"); add_two(+"a", "b", "c") }
warm

# The receiver is what is returned, and what is changed.
a = +"x"
add(a, "y").equal?(a) # => true
a # => "xy"
add_two(a, "1", "2") # => "xy12"

# Short ones grow out of their cells, and long ones by steps.
s = +""
500.times { |i| add(s, "ab#{i % 10}") }
s.length # => 1500
s[0, 9] # => "ab0ab1ab2"
s[-6..] # => "ab8ab9"

# A string behind itself.
b = +"abc"
6.times { add(b, b) }
b.length # => 192
b == "abc" * 64 # => true

# One that shares its bytes with others leaves theirs as they are.
long = "0123456789" * 30
part = long[50, 200]
copy = long.dup
add(part, "!")
add(copy, "?")
[long.length, part.length, copy.length, long[-1], part[-1], copy[-1]] # => [300, 201, 301, "9", "!", "?"]

# Encodings and code ranges.
u = +"é"
add(u, "a").ascii_only? # => false
add(u, "ü") # => "éaü"
[u.encoding, u.length, u.valid_encoding?] # => [#<Encoding:UTF-8>, 3, true]
v = +"abc"
add(v, "é")
[v.ascii_only?, v.length, v.bytesize] # => [false, 4, 5]
w = +"a"
add(w, "b".encode("US-ASCII")).encoding # => #<Encoding:UTF-8>
add(String.new, "é").encoding # => #<Encoding:UTF-8>
add(String.new(encoding: "BINARY"), "a").encoding # => #<Encoding:BINARY (ASCII-8BIT)>
add(+"", "a".encode("UTF-16LE")).encoding # => #<Encoding:UTF-16LE>
add(+"a", "\xff".b).encoding # => #<Encoding:BINARY (ASCII-8BIT)>
add(+"é", "\xff".b) # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and BINARY (ASCII-8BIT)
add(+"a", "é".encode("UTF-16LE")) # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and UTF-16LE
broken = +"\xe3"
broken.valid_encoding? # => false
add(add(broken, "\x81".dup), "\x82".dup).valid_encoding? # => true
half = "\xc3".dup
half.valid_encoding? # => false
add(half, "\xa9") # => "é"
half.valid_encoding? # => true

# Other arguments, and receivers that cannot be changed.
add(+"a", 98) # => "ab"
add(+"a", 0x3042) # => "aあ"
add(+"a", nil) # raises TypeError: no implicit conversion of nil into String
converted = Object.new
def converted.to_str = "made"
add(+"a", converted) # => "amade"
add("a".freeze, "b") # raises FrozenError: can't modify frozen String: "a"
add(:a.name, "b") # raises FrozenError: can't modify frozen String: "a"

# Arrays, numbers, subclasses and singletons at the same place.
add([1], "b") # => [1, "b"]
add(3, 2) # => 12
class Loud < String
  def <<(other) = super(other.upcase)
end
class Quiet < String
end
add(Loud.new("a"), "b") # => "aB"
add(Quiet.new("a"), "b") # => "ab"
add(Quiet.new("a"), "b").class # => Quiet
single = +"a"
def single.<<(other) = "single #{other}"
add(single, "b") # => "single b"

# While the place is hot the method is another one.
class String
  alias plain_append <<
  def <<(other) = plain_append("[").plain_append(other.to_s).plain_append("]")
end
add(+"a", "b") # => "a[b]"
add_two(+"a", "b", "c") # => "a[b][c]"
class String
  alias << plain_append
end
add(+"a", "b") # => "ab"
