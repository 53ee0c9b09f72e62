# `min` of a range with a block is Enumerable's, as the program has it.
(1..3).min { |a, b| b <=> a } # => 3
module Enumerable
  alias __old_min min
  def min(*) = "mine"
end
(1..3).min { |a, b| b <=> a } # => "mine"
(1..3).min # => 1
module Enumerable
  undef min
end
(1..2).min {} # raises NoMethodError: super: no superclass method 'min' for an instance of Range
(1..2).min # => 1
