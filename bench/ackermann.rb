# Ackermann's function: deep recursion.
def ack(m, n)
  if m == 0
    n + 1
  elsif n == 0
    ack(m - 1, 1)
  else
    ack(m - 1, ack(m, n - 1))
  end
end

sum = 0
100.times { |i| sum += ack(2, 200 + i) + ack(3, 6) }
puts sum
