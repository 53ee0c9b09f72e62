a = [1, 2, 3]
a[0] = 9 # => 9
a[5] = 6 # => 6
a # => [9, 2, 3, nil, nil, 6]
a[1, 2] = [:x]
a # => [9, :x, nil, nil, 6]
a[0..1] = []
a # => [nil, nil, 6]
a[1..] = 7, 8
a # => [nil, 7, 8]
a[0, 0] = [0, 0]
a # => [0, 0, nil, 7, 8]
a[-1] = :last
a # => [0, 0, nil, 7, :last]
a[-9] = 1 # raises IndexError: index -9 too small for array; minimum: -5
a[1, -1] = 1 # raises IndexError: negative length (-1)
a[-20..1] = 1 # raises RangeError: -20..1 out of range
a[8..9] = 1
a # => [0, 0, nil, 7, :last, nil, nil, nil, 1]
