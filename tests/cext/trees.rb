# Data whose free function frees data of other objects and writes into these: the cell of a dead object is not used anew
# before its own function has had its turn.
require_relative "fixtures/build"
load_c("trees")

def values(node)
  seen = []
  while node
    seen << node.value
    node = node.child
  end
  seen
end

def last(node)
  node = node.child while node.child
  node
end

def first(node)
  node = node.parent while node.parent
  node
end

class SlowTree < Tree
  @soon = true
end

[Tree, SlowTree].each do |kind|
  kept = []
  wrong = (0...2000).select do |i|
    root = kind.build(6, i)
    kept << last(root) if i % 20 == 0
    values(root) != (i...i + 6).to_a
  end
  wrong # => []
  GC.start
  10_000.times { Object.new }
  kept.each_with_index.reject { |node, at| values(first(node)) == (at * 20...at * 20 + 6).to_a } # => []
  kept.size # => 100
end
4.times { GC.start }
Tree.build(1, 0).value # => 0
Tree.count < 2000 # => true
