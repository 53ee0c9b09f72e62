node = nil
300_000.times { |i| node = [i, node] }
GC.start
count = 0
while node
  count += 1
  node = node[1]
end
count # => 300000
