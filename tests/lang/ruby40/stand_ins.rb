# Faster forms of Enumerable's methods stay out of sight.
[].method(:each_slice).owner # => Enumerable
{}.method(:map).owner # => Enumerable
(1..2).method(:map).owner # => Enumerable
Array.instance_methods(false).include?(:each_with_index) # => false
Array.method_defined?(:inject, false) # => false
Array.send(:remove_method, :inject) # raises NameError: method 'inject' not defined in Array
class OwnEach < Array
  def each = yield(42)
end
OwnEach[1, 2, 3].each_slice(2).to_a # => [[42]]
OwnEach[1, 2, 3].inject(:+) # => 42
OwnEach[1, 2, 3].map { _1 } # => [1, 2, 3]
class Calls < Array
  def each_slice(n) = super(n).to_a.reverse
  def inject(*) = super
end
Calls[1, 2, 3].each_slice(2) # => [[3], [1, 2]]
Calls[1, 2, 3].inject(10) { |a, b| a + b } # => 16
late = Class.new(Array)
late[1, 2].each_with_index.to_a # => [[1, 0], [2, 1]]
late.class_eval { def each = yield(:late) }
late[1, 2].each_with_index.to_a # => [[:late, 0]]
module Counting
  def each_cons(n) = :counted
end
one = [1, 2]
one.extend(Counting)
one.each_cons(2) # => :counted
[1, 2].each_cons(2).to_a # => [[1, 2]]
module Enumerable
  def inject(*) = :redefined
end
[1, 2].inject(:+) # => :redefined
(1..2).inject(:+) # => :redefined
class Array
  include Counting
end
[1, 2].each_cons(2) # => :counted
def arity = [1].each_slice
(arity rescue $!.backtrace.map { |line| line[/\d+:in .*/] }.first(2)) # => ["40:in 'Enumerable#each_slice'", "40:in 'Object#arity'"]
[].private_methods.grep(/\A__/).sort # => [:__callee__, :__dir__, :__method__]
{}.methods.grep(/\A__/).sort # => [:__id__, :__send__]
