# The spectral norm of an infinite matrix: floats, blocks, arrays.
def entry(i, j)
  1.0 / ((i + j) * (i + j + 1) / 2 + i + 1)
end

def multiply(vector)
  size = vector.size
  Array.new(size) do |i|
    sum = 0.0
    size.times { |j| sum += entry(i, j) * vector[j] }
    sum
  end
end

def multiply_transposed(vector)
  size = vector.size
  Array.new(size) do |i|
    sum = 0.0
    size.times { |j| sum += entry(j, i) * vector[j] }
    sum
  end
end

u = Array.new(430, 1.0)
v = nil
10.times do
  v = multiply_transposed(multiply(u))
  u = multiply_transposed(multiply(v))
end
dot = square = 0.0
u.each_index do |i|
  dot += u[i] * v[i]
  square += v[i] * v[i]
end
puts format("%.9f", Math.sqrt(dot / square))
