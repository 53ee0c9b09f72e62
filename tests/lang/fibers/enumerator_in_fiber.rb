e = Enumerator.new { |y| 3.times { |i| y << i } }
f = Fiber.new { [e.next, Fiber.yield(e.next), e.next] }
f.resume # => 1
f.resume(:x) # => [0, :x, 2]
def walk(tree, &b)
  return unless tree
  walk(tree[0], &b)
  b.(tree[1])
  walk(tree[2], &b)
end
t = [[nil, 1, nil], 2, [nil, 3, nil]]
Enumerator.new { |y| walk(t) { |v| y << v } }.to_a # => [1, 2, 3]
