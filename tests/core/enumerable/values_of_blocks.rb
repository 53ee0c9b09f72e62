# What a method of Enumerable gives back from the block that it passes to `each`
class Told
  include Enumerable
  attr_reader :answers

  def each
    @answers = [yield(1), yield(2)]
    self
  end
end

told = Told.new
answers = lambda do |name, *args, &block|
  told.public_send(name, *args, &block)
  told.answers
end
answers.call(:map) { |x| x } # => [nil, nil]
answers.call(:select) { true } # => [nil, nil]
answers.call(:reject) { false } # => [nil, nil]
answers.call(:filter_map) { |x| x } # => [nil, nil]
answers.call(:flat_map) { |x| [x] } # => [nil, nil]
answers.call(:partition) { true } # => [nil, nil]
answers.call(:group_by) { |x| x } # => [nil, nil]
answers.call(:sort_by) { |x| x } # => [nil, nil]
answers.call(:min_by) { |x| x } # => [nil, nil]
answers.call(:minmax_by) { |x| x } # => [nil, nil]
answers.call(:inject) { |a, b| a + b } # => [nil, nil]
answers.call(:inject, :+) # => [nil, nil]
answers.call(:sum) # => [nil, nil]
answers.call(:count) { true } # => [nil, nil]
answers.call(:count) # => [nil, nil]
answers.call(:tally) # => [nil, nil]
answers.call(:uniq) # => [nil, nil]
answers.call(:take_while) { true } # => [nil, nil]
answers.call(:drop_while) { false } # => [nil, nil]
answers.call(:drop, 1) # => [nil, nil]
answers.call(:grep, Integer) # => [nil, nil]
answers.call(:grep_v, String) { |x| x } # => [nil, nil]
answers.call(:max) # => [nil, nil]
answers.call(:zip, [3, 4]) # => [nil, nil]
answers.call(:find_index) { false } # => [nil, nil]
answers.call(:each_entry) { |x| -x } # => [nil, nil]
# That of `to_h` gives the Hash; these give what the block of the program gave.
answers.call(:each_with_index) { |x, i| [x, i] } # => [[1, 0], [2, 1]]
answers.call(:each_with_object, 5) { |x, y| x + y } # => [6, 7]
answers.call(:to_h) { |x| [x, x] } # => [{1 => 1, 2 => 2}, {1 => 1, 2 => 2}]
answers.call(:each_slice, 2) { |x| x } # => [nil, [1, 2]]

# Enumerators that look at it
[1, 2, 3].take_while.map { } # => [nil]
[1, 2, 3].take_while.map { |x| x < 3 } # => [true]
[1, 2, 3].drop_while.map { true } # => [true]
[1, 2, 3].find.map { true } # => [true, true, true]
[1, 2, 3].take_while.each_with_index { |x, i| i < 1 } # => [1]
(1..3).take_while.map { } # => [nil]
