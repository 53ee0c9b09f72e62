# The engine's properties of characters, by name and by number.
require_relative "fixtures/build"
load_c("properties")

%w[Alpha blank CNTRL Digit graph lower print space upper XDigit Word Alnum ascii].map { Properties.number(it) } # => [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14]
Properties.number("x-di_G it") # => 11
["", "Newline", "^Alpha", "no such", "Age=99.0", "Grün", "Alpha\0"].map { Properties.number(it) }.uniq # => [-223]
Properties.number("Alpha".encode("UTF-16LE")) # => 1
Properties.number("Hiragana".encode("EUC-JP")).positive? # => true

Properties.ranges("ascii").last # => [0..127]
Properties.ranges("Any").last # => [0..1114111]
Properties.ranges("surrogate").last # => [55296..57343]
Properties.ranges("XDigit") # => [0, 128, [48..57, 65..70, 97..102]]
Properties.ranges("XDigit".encode("UTF-32BE")) # => [0, 0, [48..57, 65..70, 97..102]]
Properties.ranges("Alpha".encode("US-ASCII")) # => [-2, 7, []]
Properties.ranges("nothing") # => [-2, 7, []]

# They are those that patterns have.
points = [*0..0xd7ff, *0xe000..0x10ffff]
same = ->(name) {
  inside = points.pack("U*").scan(/\p{#{name}}/).map(&:ord)
  inside == Properties.ranges(name).last.flat_map(&:to_a) - [*0xd800..0xdfff]
}
["Greek", "Lu", "In_Arabic", "Age=6.0", "Emoji"].map(&same).uniq # => [true]
Properties.ranges("Age=1.1").last.sum(&:size) # => 33979
[0xd800, 0x20ac].map { |code| [Properties.has("Age=2.0", code), Properties.has("Age=2.1", code)] } # => [[true, true], [false, true]]
[0x3b1, 0x61].map { |code| [Properties.has("Greek", code), Properties.has("Latin", code)] } # => [[true, false], [false, true]]
Properties.has("nothing", 0x61) # => false
