# Literals of constants are fresh objects each time.

def list = [1, :a, nil, 2.5, true, 2**0, 12345678901234567890]
def plain = [1, :a, nil, 2.5, -0.0, 12345678901234567890]
def long
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]
end
def table = {a: 1, "b" => 2, 3 => nil, 1.5 => :c, nil => true}

plain # => [1, :a, nil, 2.5, -0.0, 12345678901234567890]
plain.equal?(plain) # => false
plain << 1 # => [1, :a, nil, 2.5, -0.0, 12345678901234567890, 1]
plain.clear
plain.size # => 6
long.map! { 0 }.sum # => 0
long.push(0).sum # => 465
long.sum # => 465
long.frozen? # => false
list.size # => 7
table # => {a: 1, "b" => 2, 3 => nil, 1.5 => :c, nil => true}
table.equal?(table) # => false
table.delete("b") # => 2
table.store("b", 3)
table["b"] # => 2
table.keys[1].frozen? # => true
table.default # => nil
table.frozen? # => false
table.compare_by_identity[:a] # => 1
table.size # => 5
{a: 1, b: 2}.each { {a: 1}.clear } # => {a: 1, b: 2}
3.times.map { |i| {n: 0}.tap { |h| h[:n] += i } } # => [{n: 0}, {n: 1}, {n: 2}]
def keywords(**rest) = rest.tap { it[:more] = 1 }
2.times.map { keywords(a: 1) } # => [{a: 1, more: 1}, {a: 1, more: 1}]
[0.0, -0.0].map { 1 / it } # => [Infinity, -Infinity]

# The key of `object["key"]` is a String of its own wherever a method may keep it.
class Keeps
  def [](key) = key
end
def ask(object) = object["key"]
hash = {"key" => 1}
[hash, Keeps.new, Hash.new(5), Hash.new { |h, k| [k, k.frozen?] }, proc { it }, "the key"].map { ask(it) } # => [1, "key", 5, ["key", false], "key", "key"]
own = {}.compare_by_identity
own["key"] = 1
ask(own) # => nil
own["key".freeze] = 2
ask(own) # => nil
kept = ask(Keeps.new)
kept << "s"
ask(Keeps.new) # => "key"
ask(Keeps.new).equal?(ask(Keeps.new)) # => false

# What is not there.
def absent(hash) = [hash[:none], hash["none"], hash[0]]
class Polite < Hash
  def default(key = nil) = "no #{key.inspect}"
end
both = [Hash.new(7), {}, Polite.new, Hash.new { |h, k| k }]
both.map { absent(it) } # => [[7, 7, 7], [nil, nil, nil], ["no :none", "no \"none\"", "no 0"], [:none, "none", 0]]
class << (own = {})
  def default(key = nil) = :own
end
absent(own) # => [:own, :own, :own]
class Hash
  alias old_default default
  def default(key = nil) = key ? [:changed, key] : old_default
end
absent({}) # => [[:changed, :none], [:changed, "none"], [:changed, 0]]
absent(hash) # => [[:changed, :none], [:changed, "none"], [:changed, 0]]
