# Builds and walks many short-lived trees and one long-lived one: allocation and collection.
class Node
  attr_reader :left, :right

  def initialize(left, right)
    @left = left
    @right = right
  end

  def check
    @left ? 1 + @left.check + @right.check : 1
  end
end

def tree(depth)
  depth == 0 ? Node.new(nil, nil) : Node.new(tree(depth - 1), tree(depth - 1))
end

deepest = 16
puts tree(deepest + 1).check
long_lived = tree(deepest)
4.step(deepest, 4) do |depth|
  rounds = 1 << (deepest - depth + 3)
  sum = 0
  rounds.times { sum += tree(depth).check }
  puts "#{rounds} trees of depth #{depth}: #{sum}"
end
puts long_lived.check
