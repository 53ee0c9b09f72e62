# The Mandelbrot set as a bitmap: floating-point loops without allocation, bit operations.
def inside?(cr, ci)
  zr = zi = 0.0
  i = 0
  while i < 50
    squared_r = zr * zr
    squared_i = zi * zi
    return false if squared_r + squared_i > 4.0
    zi = 2.0 * zr * zi + ci
    zr = squared_r - squared_i + cr
    i += 1
  end
  true
end

size = 600
sum = 0
size.times do |y|
  ci = 2.0 * y / size - 1.0
  byte = 0
  size.times do |x|
    byte = (byte << 1) & 0xff
    byte |= 1 if inside?(2.0 * x / size - 1.5, ci)
    sum = (sum * 31 + byte) & 0xffffffff if x % 8 == 7
  end
end
puts sum
