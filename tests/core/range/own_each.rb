# The end of a Range comes from its `each`, where a program has its own.
class Range
  remove_method :each
  def each(&)
    [1, 2, 3, 4, 5].each(&)
  end
end
(1..10).last(3) # => [3, 4, 5]
(1..10).to_a # => [1, 2, 3, 4, 5]
