a = [1, 2, 3, 4, 5]
a[0] # => 1
a[-1] # => 5
a[5] # => nil
a[-6] # => nil
a[1, 2] # => [2, 3]
a[4, 9] # => [5]
a[5, 1] # => []
a[6, 1] # => nil
a[1, -1] # => nil
a[1..3] # => [2, 3, 4]
a[1...-1] # => [2, 3, 4]
a[-2..] # => [4, 5]
a[..1] # => [1, 2]
a[5..] # => []
a[6..] # => nil
a[(0..).step(2)] # => [1, 3, 5]
a[(-1..0) % -2] rescue $!.class # => [5, 3, 1]
a[1.9] # => 2
a["x"] # raises TypeError: no implicit conversion of String into Integer
a[nil] # raises TypeError: no implicit conversion from nil to integer
a.slice(1, 2) # => [2, 3]
a.at(-2) # => 4
a.dig(0) # => 1
[[1, [2]]].dig(0, 1, 0) # => 2
a.values_at(0, 2, 9, -1, 1..2) # => [1, 3, nil, 5, 2, 3]
