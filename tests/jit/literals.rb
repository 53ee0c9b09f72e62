# Literals, interpolation and destructuring in compiled code.

def parts(a, b) = "#{a}-#{b}"
list = (1..20).map { |i| parts(i, i.to_s) }
[list.first, list.last] # => ["1-1", "20-20"]
parts(:x, nil) # => "x-"
parts(1.5, [1]) # => "1.5-[1]"

class Odd
  def to_s = 5
end
20.times { parts(1, Odd.new) }
parts("a", Odd.new).start_with?("a-#<Odd") # => true

def mixed(a, b) = "#{a}#{b}"
20.times { mixed("é", "x") }
mixed("é", "\xff".b) rescue [$!.class, $!.message] # => [Encoding::CompatibilityError, "incompatible character encodings: UTF-8 and BINARY (ASCII-8BIT)"]

def pair(list)
  a, b = list
  [b, a]
end
20.times { |i| pair([i, i + 1, i + 2]) }
[pair([1, 2]), pair([1]), pair([]), pair(5), pair(nil), pair([1, 2, 3, 4])] # => [[2, 1], [nil, 1], [nil, nil], [nil, 5], [nil, nil], [2, 1]]

class Two
  def to_ary = [:first, :second]
end
pair(Two.new) # => [:second, :first]

def nest(list)
  a, (b, *c), d = list
  [a, b, c, d]
end
20.times { nest([1, [2, 3], 4]) }
nest([1, [2, 3, 4], 5]) # => [1, 2, [3, 4], 5]

def yields? = defined?(yield)
def asks = yields? ? 1 : 2
20.times { yields? }
[yields?, yields? {}, asks] # => [nil, "yield", 2]
def given = (defined?(yield) ? yield : :none)
20.times { given { 1 } }
[given, given { 3 }] # => [:none, 3]
def passes = given { defined?(yield) }
20.times { passes }
[passes, passes { }] # => [nil, "yield"]

def bit(number, index) = number[index]
20.times { |i| bit(i, 1) }
[bit(5, 0), bit(5, 1), bit(-1, 62), bit(-1, 1000), bit(5, -1), bit(5, 64), bit(1 << 70, 70), bit([7, 8], 1), bit("xy", 0)] # => [1, 0, 1, 1, 0, 0, 1, 8, "x"]
bit(5, 0..1) # => 1

def put(list, index, item)
  list[index] = item
end
20.times { |i| put([1, 2, 3, 4], i % 5, i) }
short, long = [1, 2], [1, 2, 3, 4, 5]
copy = long.dup
put(short, 0, :a)
put(long, 4, :b)
put(long, -1, :c)
put(long, 7, :d)
[short, long, copy] # => [[:a, 2], [1, 2, 3, 4, :c, nil, nil, :d], [1, 2, 3, 4, 5]]
great = (0...1000).to_a
window = great[100, 500]
20.times { |i| put(window, i, nil) }
[great[100], great[119], window[19], window[20]] # => [100, 119, nil, 120]
put([1].freeze, 0, 2) rescue [$!.class, $!.message] # => [FrozenError, "can't modify frozen Array: [1]"]

def store(hash, key, value) = hash[key] = value
20.times { |i| store({}, i, i) }
hash = {}
[store(hash, :a, 1), store(hash, 2, 3), store(hash, "k", 4), hash] # => [1, 3, 4, {a: 1, 2 => 3, "k" => 4}]
hash.keys.last.frozen? # => true
store({}.freeze, :a, 1) rescue $!.message # => "can't modify frozen Hash: {}"
{ a: 1 }.each { |_, _| store(hash, :new, 1) }
hash.each { store(hash, :late, 1); break } rescue $!.message # => "can't add a new key into hash during iteration"

def literal_key(hash) = hash["key"]
20.times { literal_key({ "key" => 1 }) }
identity = {}.compare_by_identity
identity["key"] = 5
[literal_key({ "key" => 2 }), literal_key(identity), literal_key(Hash.new { |h, k| [k, k.frozen?] })] # => [2, nil, ["key", false]]

module Outer
  INNER = 1
  module Deep
    VALUE = 2
  end
end
def inner(from) = from::INNER
def deep = Outer::Deep::VALUE
20.times { [inner(Outer), deep] }
class Other
  INNER = 7
end
[inner(Outer), inner(Other), deep] # => [1, 7, 2]
Outer::Deep.send(:remove_const, :VALUE)
Outer::Deep::VALUE = 3
[deep, (inner(5) rescue $!.message)] # => [3, "5 is not a class/module"]

def splat(list) = [*list, 0]
def count(*list) = list.size
def through(list) = count(*list)
20.times { |i| [splat([i]), through([1, 2])] }
[splat([1]), splat(nil), splat(1..2), through([1, 2, 3]), through(nil), through(4)] # => [[1, 0], [0], [1, 2, 0], 3, 0, 1]

# A block that is given to one of the library's functions for the first time.
20.times { [1, 2, 3].combination(2) }
[[1, 2, 3].combination(2).size, [1, 2, 3].each_slice(2).size] # => [3, 2]

# What was an array at one place may be none at the next.
def twice(x) = [x[0], x[0]]
30.times { twice([1]) }
[twice([1, 2]), twice(:abc), twice("xyz"), twice(5), (twice(nil) rescue $!.class), (twice(true) rescue $!.class)] # => [[1, 1], ["a", "a"], ["x", "x"], [1, 1], NoMethodError, NoMethodError]
