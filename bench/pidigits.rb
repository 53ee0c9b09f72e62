# The digits of pi by a spigot: big integer arithmetic.
def digits(count)
  numerator, accumulator, denominator = 1, 0, 1
  k = 0
  found = +""
  while found.size < count
    k += 1
    odd = 2 * k + 1
    accumulator = (accumulator + 2 * numerator) * odd
    denominator *= odd
    numerator *= k
    next if numerator > accumulator
    digit = (3 * numerator + accumulator) / denominator
    next if digit != (4 * numerator + accumulator) / denominator
    found << digit.to_s
    accumulator = (accumulator - denominator * digit) * 10
    numerator *= 10
  end
  found
end

puts digits(3200)
big = 3**4000
sum = 0
600.times { |i| sum += (big / (7**(i + 100)) % 1_000_003) }
puts sum, (2**20_000).to_s.size, 200.downto(1).inject(:*).to_s.sum
