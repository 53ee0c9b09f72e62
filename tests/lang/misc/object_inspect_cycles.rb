a = [1]
a << a
a # => [1, [...]]
h = {}
h[:self] = h
h # => {self: {...}}
a == a # => true
a.hash == a.hash # => true
S = Struct.new(:me)
s = S.new
s.me = s
s # => #<struct S me=#<struct S:...>>
b = [[]]
b[0] << b
b.flatten # raises ArgumentError: tried to flatten recursive array
a.join # raises ArgumentError: recursive array join
