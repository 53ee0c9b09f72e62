i = 0
r = while i < 5
  i += 1
  next if i == 2
  break i * 10 if i == 4
end
r # => 40
r = until i == 0 do i -= 1 end
r # => nil
i = 0
begin
  i += 1
end while i < 0
i # => 1
(i += 1) while i < 10
i # => 10
out = []
for a, b in [[1, 2], [3, 4]] do out << a + b end
out # => [3, 7]
[a, b] # => [3, 4]
(loop { break }) # => nil
(loop do raise StopIteration, "x" end) # => nil
