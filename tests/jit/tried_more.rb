# `Hash#fetch`, `Array#include?` and `dig` in compiled code.

require_relative "fixtures/turns"

def fetch(hash, key) = hash.fetch(key)
def fetch_or(hash, key, default) = hash.fetch(key, default)
def in_list(list, item) = list.include?(item)
def deep(object, *keys) = object.dig(*keys)

class Key
  def initialize(name) = @name = name
  def hash = 1
  def eql?(other) = Key === other
  def ==(other) = other == :key
end

hash = { 1 => 2, "a" => nil, b: [3, { c: 4 }], Key.new(1) => 5 }
turns { [fetch(hash, 1), fetch(hash, "a"), fetch(hash, Key.new(2))] } # => [2, nil, 5]
turns { [fetch_or(hash, 1, 7), fetch_or(hash, :z, 7), fetch_or(hash, Key.new(3), 7)] } # => [2, 7, 5]
20.times.map { fetch(hash, :z) rescue [$!.class, $!.key, $!.receiver.equal?(hash)] }.uniq # => [[KeyError, :z, true]]
turns { |i| hash.fetch(:z) { |key| [key, i] } } # => [:z, 59]
20.times.map { fetch({}, 1) rescue $!.message }.uniq # => ["key not found: 1"]

list = [1, "two", :three, 4.0, nil, [5], Key.new(1)]
turns { [1, "two", :three, 4.0, 4, nil, [5]].map { |item| in_list(list, item) }.uniq } # => [true]
turns { [2, "three", :two, 5.0, true, [6], 1r + 1].map { |item| in_list(list, item) }.uniq } # => [false]
turns { [in_list([Key.new(1)], :key), in_list([:key], Key.new(1)), in_list([1, Key.new(1)], :other)] } # => [true, false, false]
turns { [in_list([1], 1.0), in_list([1.0], 1), in_list([2**70], 2**70), in_list([Float::NAN], Float::NAN)] } # => [true, true, true, true]
turns { in_list((1..1000).to_a, 1000) } # => true
turns { in_list((1..1000).to_a, 0) } # => false
turns { in_list([], 1) } # => false
class Text < String
  def ==(other) = :text
end
turns { [in_list([Text.new("a")], "b"), in_list(["a".encode("UTF-16LE")], "a"), in_list(["é"], "é"), in_list(["é".b], "é")] } # => [true, false, true, false]

nested = { a: { b: [1, { c: "deep" }] }, "s" => Struct.new(:x).new({ y: 2 }) }
nested.default = { d: :default }
turns { [deep(nested, :a, :b, 1, :c), deep(nested, :a, :z, 1), deep(nested, :none, :d), deep(nested, "s", :x, :y), deep(nested, :a, :b, -1, :c)] } # => ["deep", nil, :default, 2, "deep"]
20.times.map { deep({ a: 1 }, :a, :b) rescue $!.message }.uniq # => ["Integer does not have #dig method"]
turns { |i| deep([Hash.new { |h, k| [k, i] }], 0, :x, 1) } # => 59
class Digging
  def dig(*keys) = [:digging, keys]
end
turns { deep({ a: Digging.new }, :a, 1, 2) } # => [:digging, [1, 2]]
turns { deep([1, [2, { a: 3 }]], 1, 1, :a) } # => 3
turns { [deep([1], 5, 1), deep([1], -1), deep([[1]], 0.5, 0), deep({ a: nil }, :a, :b)] } # => [nil, 1, 1, nil]
class Sub < Hash
  def [](key) = [:sub, key]
end
class Asked < Hash
  def default(key = nil) = [:asked, key]
end
turns { [deep({ a: Sub[b: 1] }, :a, :c), deep(Sub[b: 1], :c), deep(Asked.new, :c), deep({ a: Asked.new }, :a, :d)] } # => [nil, nil, [:asked, :c], [:asked, :d]]
turns { |i| Array.class_eval { def include?(item) = :redefined } if i == 30; in_list([1], 1) } # => :redefined
turns { |i| Array.class_eval { def dig(*keys) = [:dug, keys] } if i == 30; deep({ a: [1] }, :a, 0) } # => [:dug, [0]]
turns { |i| Hash.prepend(Module.new { def dig(*keys) = [:first, super] }) if i == 30; deep({ a: { b: 1 } }, :a, :b) } # => [:first, [:first, 1]]

# Variables of threads.
def of_thread(thread, name) = [thread[name], thread.key?(name)]
turns { |i| Thread.current[:number] = i; of_thread(Thread.current, :number) } # => [59, true]
turns { [of_thread(Thread.current, :none), of_thread(Thread.current, "number"), Fiber.new { of_thread(Thread.current, :number) }.resume] } # => [[nil, false], [59, true], [nil, false]]
turns(20) { Thread.new { Thread.current[:a] = 1; of_thread(Thread.current, :a) }.value } # => [1, true]
ended = Thread.new { Thread.current[:left] = 7 }.tap(&:join)
turns { of_thread(ended, :left) } # => [7, true]
20.times.map { of_thread(Thread.current, 5) rescue $!.class }.uniq # => [TypeError]
