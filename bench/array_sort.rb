# Sorts integers, floats, strings and by key or block.
seed = 42
random = lambda do
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
end
numbers = Array.new(50_000) { random.call }
floats = numbers.map { |number| number / 3.0 }
words = numbers.first(30_000).map { |number| number.to_s(36) }
sum = 0
6.times do
  sum += numbers.sort[100]
  sum += floats.sort[100].to_i
  sum += words.sort[100].sum
  sum += numbers.sort { |a, b| b <=> a }[100]
  sum += words.sort_by { |word| [word.size, word] }[100].sum
  sum += numbers.min(10).sum + numbers.max_by { |number| number % 1000 }
end
puts sum
