# The parts of enumerators do not show their state; Product and to_h name what they refuse.
Enumerator.new { |y| y << 1 }.inspect.gsub(/0x\h+/, "0xXX") # => "#<Enumerator: #<Enumerator::Generator:0xXX>:each>"
Enumerator.produce(1) { }.inspect.gsub(/0x\h+/, "0xXX") # => "#<Enumerator: #<Enumerator::Producer:0xXX>:each>"
Enumerator::Product.new([1], a: 1) # raises ArgumentError: unknown keyword: :a
Enumerator::Product.new([1], a: 1, b: 2) # raises ArgumentError: unknown keywords: :a, :b
[1].each.to_h { false } # raises TypeError: wrong element type false (expected array)
(1..2).to_h { nil } # raises TypeError: wrong element type nil (expected array)
{ a: 1 }.to_h { true } # raises TypeError: wrong element type true (expected array)
{ a: 1 }.to_h { 1 } # raises TypeError: wrong element type Integer (expected array)
# zip with nothing gives its block the elements themselves.
seen = []
(1..2).zip { |item| seen << item }
(1..2).zip([3]) { |items| seen << items }
seen # => [1, 2, [1, 3], [2, nil]]
