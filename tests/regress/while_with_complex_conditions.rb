i = 0
i += 1 while i < 10 and not i == 5
i # => 5
j = 10
j -= 1 until j.zero? || j % 7 == 0
j # => 7
k = 0
k += 1 while (k += 1) < 5
k # => 5
r = begin
  k -= 1
end until k < 0
r # => -1
