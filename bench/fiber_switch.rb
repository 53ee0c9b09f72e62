# Generators: Fiber, external enumeration, Enumerator with a block.
fiber = Fiber.new do
  i = 0
  loop { Fiber.yield(i += 1) }
end
sum = 0
2_000_000.times { sum += fiber.resume }
squares = Enumerator.new { |yielder| (1..).each { |n| yielder << n * n } }
480_000.times { sum += squares.next & 15 }
24_000.times { |i| sum += Fiber.new { |x| Fiber.yield(x) + 1 }.resume(i) }
puts sum
