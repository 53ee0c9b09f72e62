# Cells in a set of coordinates, three generations of a glider.
require "set"
live = Set[[1, 0], [2, 1], [0, 2], [1, 2], [2, 2]]
3.times do
  around = live.flat_map { |x, y| [-1, 0, 1].product([-1, 0, 1]).map { |dx, dy| [x + dx, y + dy] } }.tally
  live = around.select { |cell, n| n == 3 || (n == 4 && live.include?(cell)) }.keys.to_set
end
(0..4).each { |y| puts (0..4).map { |x| live.include?([x, y]) ? "#" : "." }.join }
# prints: .....
# prints: .#...
# prints: ..##.
# prints: .##..
# prints: .....
