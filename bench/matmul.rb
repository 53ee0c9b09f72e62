# Multiplies matrices of floats and of integers: nested arrays, inner loops.
def matrix(size, scale)
  Array.new(size) { |i| Array.new(size) { |j| (i - j) * (i + j) * scale } }
end

def multiply(a, b)
  columns = b.transpose
  a.map do |row|
    columns.map do |column|
      sum = 0
      i = 0
      size = row.size
      while i < size
        sum += row[i] * column[i]
        i += 1
      end
      sum
    end
  end
end

floats = multiply(matrix(180, 0.001), matrix(180, 0.002))
puts format("%.6f", floats[90][90])
integers = multiply(matrix(180, 1), matrix(180, 2))
puts integers[90][91]
puts integers.sum { |row| row.sum }
