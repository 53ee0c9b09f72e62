# Loops without calls: integer arithmetic, comparison, local variables, an array.
i = 0
sum = 0
while i < 9_000_000
  sum += i & 7
  sum ^= i if i % 3 == 0
  i += 1
end
puts sum

sieve = Array.new(900_001, true)
count = 0
n = 2
while n <= 900_000
  if sieve[n]
    count += 1
    m = n * n
    while m <= 900_000
      sieve[m] = false
      m += n
    end
  end
  n += 1
end
puts count
