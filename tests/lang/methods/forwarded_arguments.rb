# `...` and splats into parameters of every kind.

def target(*args, **keywords, &block) = [args, keywords, block&.call]
def simple(a, b) = [a, b]
def optional(a, b = :b, *rest) = [a, b, rest]
def keyed(a, k: 0) = [a, k]

def forward(...) = target(...)
def forward_simple(...) = simple(...)
def forward_optional(a, ...) = optional(a, ...)
def forward_keyed(...) = keyed(...)

forward # => [[], {}, nil]
forward(1, 2) # => [[1, 2], {}, nil]
forward(1, k: 2) { 3 } # => [[1], {k: 2}, 3]
forward(*[1, 2], **{}) # => [[1, 2], {}, nil]
forward({a: 1}) # => [[{a: 1}], {}, nil]
forward_simple(1, 2) # => [1, 2]
forward_simple(1, k: 2) # => [1, {k: 2}]
forward_simple(1) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
forward_optional(1) # => [1, :b, []]
forward_optional(1, 2, 3) # => [1, 2, [3]]
forward_keyed(1) # => [1, 0]
forward_keyed(1, k: 2) # => [1, 2]
forward_keyed(1, {k: 2}) # raises ArgumentError: wrong number of arguments (given 2, expected 1)

class Base
  def initialize(...) = @all = target(...)
  def set(...) = @all = target(...)
  attr_reader :all
end

class Derived < Base
  def set(...) = super
end

Base.new(1, k: 2).all # => [[1], {k: 2}, nil]
Base.new.all # => [[], {}, nil]
Derived.new.set(1) # => [[1], {}, nil]
Derived.new.set(1, k: 2) { 3 } # => [[1], {k: 2}, 3]

# A splat changes nothing about the list and takes flagged keywords along.
list = [1, 2]
simple(*list) # => [1, 2]
optional(*list, **{}) # => [1, 2, []]
list # => [1, 2]
optional(*Array.new(40) { it }).last.size # => 38
simple(*[1, 2, 3]) # raises ArgumentError: wrong number of arguments (given 3, expected 2)
flagged = Hash.ruby2_keywords_hash({k: 5})
keyed(*[1, flagged]) # => [1, 5]
keyed(*[1, {k: 5}]) # raises ArgumentError: wrong number of arguments (given 2, expected 1)
optional(*[1, Hash.ruby2_keywords_hash({})]) # => [1, :b, []]

# A list that only the call holds.
def gathers(a, *rest, &block) = [a, rest, block.call]
(1..200).map { |i| gathers(*["a#{i}", "b#{i}", "c#{i}"]) { "d" } }.last # => ["a200", ["b200", "c200"], "d"]

# Methods and Procs.
class Made
  define_method(:one) { |a| [self.class, a] }
  define_method(:none) { self.class }
  define_method(:many) { |a, b = 2, *c, k: 3, &d| [a, b, c, k, d&.call] }
end
made = Made.new
3.times.map { made.one(it) }.last # => [Made, 2]
made.one # raises ArgumentError: wrong number of arguments (given 0, expected 1)
made.one([1, 2]) # => [Made, [1, 2]]
made.none # => Made
made.many(1, k: 0) { 4 } # => [1, 2, [], 0, 4]
pair = proc { |a, b| [a, b] }
[pair.call(1), pair.call([1, 2]), pair.(1, 2, 3), pair[[5]]] # => [[1, nil], [1, 2], [1, 2], [5, nil]]
exact = ->(a, b) { [a, b] }
exact.call(1, 2) # => [1, 2]
exact.call([1, 2]) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
