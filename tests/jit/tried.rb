# Methods that compiled code has tried without a frame: keys and elements whose `hash` and `eql?` are known, and others.

require_relative "fixtures/turns"

class Key
  attr_reader :name
  def initialize(name) = @name = name
  def hash = name.hash
  def eql?(other) = other.is_a?(Key) && name == other.name
end
class Text < String
end

def in_hash(hash, key) = hash.key?(key)
def in_set(set, item) = set.include?(item)
def add(set, item) = set.add?(item)

hash = { 1 => 2, "a" => 3, :b => 4, 2.5 => 5, nil => 6, [1] => 7, Key.new(1) => 8, 2**70 => 9 }
set = Set.new(hash.keys)
keys = [1, "a", :b, 2.5, nil, [1], Key.new(1), 2**70, Text.new("a")]
others = [2, "b", :a, 2.0, true, [2], Key.new(2), 2**71, 1.0, Text.new("b")]
turns { keys.map { |key| [in_hash(hash, key), in_set(set, key)] }.uniq } # => [[true, true]]
turns { others.map { |key| [in_hash(hash, key), in_set(set, key)] }.uniq } # => [[false, false]]
turns { keys.map { |key| add(set, key) }.uniq } # => [nil]
turns { |i| added = Set.new; [*keys, *others].each { |key| add(added, key) }; added.size } # => 17
turns { |i| s = Set[]; s << i << i.to_s << i; s.add(i + 1); s.to_a } # => [59, "59", 60]

# A string is copied, unless identity counts.
name = +"name"
own = Set.new
turns(3) { own.add?(name); own.add(name) }
own.first.equal?(name) # => false
[own.first.frozen?, name.frozen?] # => [true, false]
same = Set.new.compare_by_identity
turns { |i| same.add?(name); same.include?(name) } # => true
[same.include?(name.dup), same.first.equal?(name), same.size] # => [false, true, 1]
by_identity = {}.compare_by_identity
by_identity[name] = 1
turns { [in_hash(by_identity, name), in_hash(by_identity, name.dup)] } # => [true, false]

# Frozen, and changed while it is walked through.
fixed = Set[1].freeze
20.times.map { fixed.add(1) rescue $!.class }.uniq # => [FrozenError]
20.times.map { fixed.add?(2) rescue $!.class }.uniq # => [FrozenError]
20.times.map { s = Set[1, 2]; s.each { |x| s.add(x + 10) } rescue $!.class }.uniq # => [RuntimeError]
turns { |i| s = Set[1, 2]; s.each { |x| s.add(x) }; s.size } # => 2
turns { |i| s = Set[*1..20]; seen = []; s.each { |x| seen << x; s.delete(x + 1) }; seen } # => [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]
turns { |i| h = (1..20).to_h { |x| [x, -x] }; seen = []; h.each { |k, v| seen << v; h.delete(k + 1) }; seen } # => [-1, -3, -5, -7, -9, -11, -13, -15, -17, -19]
turns { |i| h = (1..5).to_h { |x| [x, -x] }; h.shift; h.delete(3); [h.each_key.to_a, h.each_value.to_a, h.map { |k, v| k + v }] } # => [[2, 4, 5], [-2, -4, -5], [0, 0, 0]]
turns { |i| h = {}; h.each { raise }; h.each_key { raise }; Set.new.each { raise }; h } # => {}
turns { |i| h = { 1 => 2 }; h.each { h.clear }; h } # => {}
20.times.map { h = { 1 => 2 }; h.each { h[3] = 4 } rescue $!.message }.uniq # => ["can't add a new key into hash during iteration"]

# Redefined and overridden.
class Loud < Set
  def include?(item) = [:loud, super]
  def add?(item) = [:added, super]
end
loud = Loud[1]
turns { |i| [in_set(loud, 1), in_set(loud, 2)] } # => [[:loud, true], [:loud, false]]
turns { |i| def set.include?(item) = :single if i == 30; in_set(set, 1) } # => :single
turns { |i| Hash.class_eval { alias_method :old_key?, :key?; def key?(key) = [:anew, old_key?(key)] } if i == 30; in_hash(hash, 1) } # => [:anew, true]
