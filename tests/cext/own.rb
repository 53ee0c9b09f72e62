# Functions that stand for CRuby's implementations do what the core classes do,
# whatever a program's classes make of the methods.
require_relative "fixtures/build"
load_c("own")

# A method that is made of the function does not call itself.
FetchingHash[a: 1].fetch(:a) # => 1
class Includes
  include Appending
end
Includes.ancestors.include?(Appending) # => true

# Modules come in without a word to their hooks.
module Told
  def self.append_features(*) = raise("append_features")
  def self.prepend_features(*) = raise("prepend_features")
  def self.extend_object(*) = raise("extend_object")
  def self.included(*) = raise("included")
  def self.prepended(*) = raise("prepended")
  def self.extended(*) = raise("extended")
end
Own.include(Class.new, Told).ancestors.index(Told) # => 1
Own.prepend(Class.new, Told).ancestors.index(Told) # => 0
Own.extend(+"text", Told).singleton_class.include?(Told) # => true
Own.include(Class.new, String) # raises TypeError: wrong argument type Class (expected Module)
Own.include(Class.new.freeze, Told) rescue $!.class # => FrozenError
module Told2; end
Own.include(Told2, Told2) # raises ArgumentError: cyclic include detected

def refuse(target, *names)
  names.each { |name| target.define_method(name) { |*| raise "#{name} was called" } }
end

class Text < String
end
refuse(Text, :length, :<<, :concat, :[], :<=>, :encode, :size)
Own.string(Text.new("täxt")) # => [4, 4, "täxt!", "tä", "\"täxt!\"", true, 0, "täxt!"]
sole = +"sole"
refuse(sole.singleton_class, :length, :[])
Own.string(sole)[0, 5] # => [4, 4, "sole!", "so", "\"sole!\""]

class List < Array
end
refuse(List, :[], :concat, :join, :include?, :reverse!, :delete_at, :each)
Own.array(List[1, 2]) # => [1, "1-2-3", true, 1, [3, 2]]
seen = []
Own.array_each(List[1, 2]) { |item| seen << item }
seen # => [1, 2]

class Table < Hash
end
refuse(Table, :fetch, :key?, :has_key?, :keys, :dup, :clear)
Own.hash(Table[:a, 1]) # => [1, 1, Table, 0]

class Thing
  def initialize = @a = 1
end
refuse(Thing, :clone, :dup, :instance_variables, :frozen?, :method, :object_id)
Own.object(Thing.new) # => [Thing, Thing, [:@a], false, Method, true]

class Model
  class << self
    %i[name ancestors superclass include? instance_methods attr_reader].each do |name|
      define_method(name) { |*| raise "#{name} was called" }
    end
  end
end
found = Own.class_(Model)
found[0] # => "Model"
found[1].first # => Model
found[2..] # => [Object, true, [:made]]

# `write` is whatever the receiver has.
class Sink
  def write(text) = "wrote #{text}"
end
Own.write(Sink.new, "it") # => "wrote it"

# What is private in Object is nobody's own.
Own.sleep_with(Mutex.new, 0) # raises ThreadError: Attempt to unlock a mutex which is not locked
Mutex.new.then { |mutex| mutex.synchronize { Own.sleep_with(mutex, 0) } } # => nil

# Nor does it when the extension puts its method in the place of the core class's,
# nor when the program has removed that.
Own.define_core
[3, 1, 2].sort # => [1, 2, 3]
["b", "a"].join("-") # => "b-a"
{ b: 1 }.fetch(:b) # => 1
"text" + "s" # => "texts"
"text".dup.length # => 4
"tä".inspect # => "\"tä\""
[1, 2].dup # => [1, 2]
Time.at(5).to_i # => 5
:sym.to_s # => "sym"
Own.instance_methods(false) # => []
class Array
  def sort = raise("sort was called")
  remove_method :join
end
Own.sorted([2, 1]) # => [1, 2]
Own.joined(["b", "a"], "-") # => "b-a"
List[2, 1].then { |list| Own.sorted(list) } # => [1, 2]
