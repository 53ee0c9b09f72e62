# Chains of Enumerable methods with short blocks, eager and lazy.
sum = 0
700.times do |round|
  numbers = (1..1500).map { |n| n * round }
  sum += numbers.select(&:even?).map { |n| n + 1 }.reject { |n| n % 3 == 0 }.sum
  sum += numbers.each_with_index.map { |n, i| n ^ i }.each_slice(7).sum { |slice| slice.first }
  sum += numbers.zip(numbers.rotate).inject(0) { |memo, (a, b)| memo + a - b + 1 }
  sum += numbers.group_by { |n| n % 10 }.map { |key, group| key * group.size }.sum
  sum += numbers.each_cons(2).count { |a, b| a < b }
  sum += numbers.partition { |n| n > 500 }.map(&:size).reduce(:*)
  sum += (1..).lazy.map { |n| n * 2 }.select { |n| n % 5 == 0 }.first(40).last
  sum += numbers.each_with_object([]) { |n, list| list << n if n.odd? }.size + numbers.take_while { |n| n < 300 }.size
end
puts sum
