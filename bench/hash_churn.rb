# Fills, reads, deletes and walks hashes with integer, string, symbol and array keys.
sum = 0
30.times do |round|
  numbers = {}
  40_000.times { |i| numbers[i * 7 % 65_537] = i }
  40_000.times { |i| sum += numbers[i] || 1 }
  20_000.times { |i| numbers.delete(i) }
  numbers.each { |key, value| sum += key ^ value }
  words = Hash.new { |hash, key| hash[key] = key.size }
  40_000.times { |i| sum += words["word#{i % 3000}"] }
  pairs = {}
  8_000.times { |i| pairs[[i % 90, i % 70]] = i }
  sum += pairs.size
  sum += words.select { |_, size| size > 6 }.transform_values { |size| size + round }.sum { |_, size| size }
  small = { name: "a", size: 3, round: round }
  20_000.times { |i| sum += small[:size] + small[:round] }
end
puts sum
