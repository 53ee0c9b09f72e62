# Takeuchi's function: calls with three arguments, nested.
def tak(x, y, z)
  return z if y >= x
  tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y))
end

puts tak(24, 16, 8), tak(27, 18, 9)
puts tak(18, 12, 6)
