# Ends that convert to strings are iterated as strings.
require "delegate"
(SimpleDelegator.new("9").."10").to_a # => ["9", "10"]
("9"..SimpleDelegator.new("10")).to_a # => ["9", "10"]
(SimpleDelegator.new("9")..).take(2) # => ["9", "10"]
(:a..:d).step.to_a # => [:a, :b, :c, :d]
Range.allocate.freeze.send(:initialize, 1, 2) # raises FrozenError: can't modify frozen Range: nil..nil
class Odd
  def <=>(other) = 0
end
(Odd.new..Odd.new).each { } # raises TypeError: can't iterate from Odd
