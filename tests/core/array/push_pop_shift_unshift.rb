a = [1]
a.push(2, 3) # => [1, 2, 3]
a << 4 # => [1, 2, 3, 4]
a.pop # => 4
a.pop(2) # => [2, 3]
a.unshift(0) # => [0, 1]
a.prepend(:a, :b) # => [:a, :b, 0, 1]
a.shift # => :a
a.shift(2) # => [:b, 0]
a # => [1]
[].pop # => nil
[].shift # => nil
[].pop(3) # => []
a.append(5) # => [1, 5]
a.insert(1, :i) # => [1, :i, 5]
a.insert(-2, :j) # => [1, :i, :j, 5]
a.insert(6, :far) # => [1, :i, :j, 5, nil, nil, :far]
a.insert(-9, 1) # raises IndexError: index -9 too small for array; minimum: -8
a.pop(-1) # raises ArgumentError: negative array size
