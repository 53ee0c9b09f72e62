# Backtraces show the `each` that a method of Enumerable goes through
def levels(object, name, *args)
  result = object.public_send(name, *args) { raise "x" }
  result.to_a if Enumerator === result
rescue => e
  e.backtrace.filter_map { |line| line[/'(.+)'$/, 1] }.drop(1).take_while { |label| label !~ /levels|public_send/ }
end

class Counted
  include Enumerable
  def each = yield(1)
end

levels([1], :each_with_index) # => ["Array#each", "Enumerable#each_with_index"]
levels([1], :each_with_object, 0) # => ["Array#each", "Enumerable#each_with_object"]
levels([1], :group_by) # => ["Array#each", "Enumerable#group_by"]
levels([1], :flat_map) # => ["Array#each", "Enumerable#flat_map"]
levels([1, 2], :inject) # => ["Array#each", "Enumerable#inject"]
levels([1], :each_slice, 1) # => ["Array#each", "Enumerable#each_slice"]
levels([1], :each_cons, 1) # => ["Array#each", "Enumerable#each_cons"]
levels([1], :sort_by) # => ["Array#each", "Enumerable#sort_by"]
levels([1], :map) # => ["Array#map"]
levels({ a: 1 }, :map) # => ["Hash#each", "Enumerable#map"]
levels({ a: 1 }, :group_by) # => ["Hash#each", "Enumerable#group_by"]
levels({ a: 1 }, :select) # => ["Hash#select"]
levels(1..2, :partition) # => ["Range#each", "Enumerable#partition"]
levels([1].each, :with_index) # => ["Array#each", "Enumerator#with_index"]
levels([1].each, :map) # => ["Array#each", "Enumerator#each", "Enumerable#map"]
levels([1].each_slice(1), :map) # => ["Array#each", "Enumerable#each_slice", "Enumerator#each", "Enumerable#map"]
levels("ab".each_char, :with_index) # => ["String#each_char", "Enumerator#with_index"]
levels([1, 2], :slice_when) # => ["Array#each", "Enumerator::Generator#each", "Enumerator#each", "Enumerable#to_a"]
levels(Counted.new, :map) # => ["Counted#each", "Enumerable#map"]
levels(Struct.new(:a).new(1), :each_with_index) # => ["Struct#each", "Enumerable#each_with_index"]

# What raises by itself is not within `each`.
[1].each_slice(0) rescue $!.backtrace.size # => 2
message = [1].each_slice(0) rescue $!.backtrace[0][/'.*'/]
message # => "'Enumerable#each_slice'"
def places = [1].each_with_index { |_, _| return caller_locations(0).first(3).map(&:label) }
places # => ["block in Object#places", "Array#each", "Enumerable#each_with_index"]
def one_place = [1].each_with_index { |_, _| return caller_locations(1, 1).map(&:label) }
one_place # => ["Array#each"]
def two_places = [1].each_with_index { |_, _| return caller(2, 2).map { |line| line[/'.*'/] } }
two_places # => ["'Enumerable#each_with_index'", "'Object#two_places'"]
