# Counts the solutions of the queens puzzle with bit masks, and once more with arrays.
def count(columns, left, right, full)
  return 1 if columns == full
  found = 0
  free = full & ~(columns | left | right)
  while free != 0
    place = free & -free
    free ^= place
    found += count(columns | place, ((left | place) << 1) & full, (right | place) >> 1, full)
  end
  found
end

def place(row, size, columns, up, down)
  return 1 if row == size
  found = 0
  size.times do |column|
    next if columns[column] || up[row + column] || down[row - column + size]
    columns[column] = up[row + column] = down[row - column + size] = true
    found += place(row + 1, size, columns, up, down)
    columns[column] = up[row + column] = down[row - column + size] = false
  end
  found
end

puts count(0, 0, 0, (1 << 13) - 1)
puts place(0, 10, [false] * 10, [false] * 20, [false] * 21)
