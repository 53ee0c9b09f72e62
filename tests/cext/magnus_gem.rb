# An extension in Rust over magnus: conversions, exits, blocks, data.
# needs: 4.0
# gems: rb_sys
# timeout: 900
require_relative "fixtures/build_rust"
load_rust("magnus_gem")

MagnusGem.reverse("abc\u00fc") # => "ücba"
MagnusGem.reverse(3) # raises TypeError: no implicit conversion of Integer into String
MagnusGem.reverse # raises ArgumentError: wrong number of arguments (given 0, expected 1)
MagnusGem.reverse("\xff") # raises EncodingError
MagnusGem.sum([1, 2.5, 3]) # => 6.5
MagnusGem.words("a b c") # => ["a", "b", "c"]
MagnusGem.sizes(["ab", [1, 2, 3]]) # => {"ab" => 2, [1, 2, 3] => 3}
MagnusGem.floats(1.5) # => [3.0, 1.5e+300]
MagnusGem.symbol(:x) # => :x!
MagnusGem.doubled(2**62) # => [9223372036854775808, true]
MagnusGem.doubled(-2**62 - 1) # => [-9223372036854775810, false]
[2**80, -2**80, 4].map { MagnusGem.sign(it) } # => [true, false, nil]

MagnusGem.refuse("more") # raises ArgumentError: no more
MagnusGem.rescue(->(a, b) { [a, b] }) # => [1, "two"]
MagnusGem.rescue(->(a, b) { raise "oops" }) # => "rescued oops"
catch(:x) { MagnusGem.rescue(->(*) { throw :x, 5 }) } # => 5
MagnusGem.each(4) { |n| n * 2 } # => 12
MagnusGem.each(3) { |n| break n + 10 } # => 10

point = MagnusGem::Point.new(1, 2)
point.distance(MagnusGem::Point.new(4, 6)) # => 5.0
point.distance(3) # raises TypeError
point.shift(3) # => 4
point.dup.shift(1) # => 5
point.shift(0) # => 4
def point.hello = "hello"
copy = point.clone
copy.hello # => "hello"
copy.singleton_methods # => [:hello]
copy.singleton_class == point.singleton_class # => false
copy.singleton_class.attached_object.equal?(copy) # => true
copy.shift(1) # => 5
point.shift(0) # => 4

keeper = MagnusGem::Box.new
50.times { keeper.push("item #{it}") }
GC.start
keeper.all.values_at(0, -1) # => ["item 0", "item 49"]
