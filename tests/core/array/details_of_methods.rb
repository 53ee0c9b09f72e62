# Recursion is an error of flattening without a depth only.
b = [1]; c = [2, b]; b << c
b.flatten(4).first(5) # => [1, 2, 1, 2, 1]
b.flatten # raises ArgumentError
[].hash == false.hash # => false
[[], "", nil].join.encoding # => #<Encoding:US-ASCII>
[["a"]].join.encoding # => #<Encoding:US-ASCII>
[1, ["\u3042"]].join.encoding # => #<Encoding:UTF-8>

# The first element that is no String is asked before the others are joined.
x = Struct.new(:list).new
def x.to_str = (list[2] = [0, 1, 2]; "z")
x.list = ["a", "b", "c", x]
x.list.join("") # => "ab012z"

[1, 2].sample(random: Object.new) # raises NoMethodError: private method 'rand' called for an instance of Object
[1, 2].shuffle(random: Object.new) # raises NoMethodError: private method 'rand' called for an instance of Object
[1, 2, 3].to_h { |n| n == 3 ? [1] : [n, n] } # raises ArgumentError: wrong array length at 2 (expected 2, was 1)
[].to_enum.first(2**62) # raises ArgumentError: array size too big
list = (0...100).to_a
generator = Object.new
generator.define_singleton_method(:rand) { |max| list.replace([]); max / 2 }
list.sample(2, random: generator) # => []
