# rb_hash_foreach and every way out of it; strings that are one for their content; numbers of encodings.
require_relative "fixtures/build"
load_c("hashes")

table = { a: 1, b: 2, c: 3 }
Hashes.each(table) { |key, _| key == :b ? :stop : nil } # => [:a, :b]
Hashes.each(table) { |_, value| value == 2 ? :delete : nil } # => [:a, :b, :c]
table # => {a: 1, c: 3}
Hashes.each(table) { |key, value| Hashes.each({ key => value }) { table[key] = value + 1 } } # => [:a, :c]
table # => {a: 2, c: 4}
Hashes.each(table) { table[:new] = 1 } # raises RuntimeError: can't add a new key into hash during iteration
Hashes.each(table) { break 5 } # => 5
catch(:out) { Hashes.each(table) { throw :out, 6 } } # => 6
Fiber.new { Hashes.each(table) { Fiber.yield 7 } }.resume # => 7
table = table.dup
Hashes.each(table) { raise "mine" } # raises RuntimeError: mine
table[:new] = 1
table.keys # => [:a, :c, :new]
Hashes.each({}) { } # => []
Hashes.each([]) { } # raises TypeError: wrong argument type Array (expected Hash)
deep = ->(n) { n == 0 ? :done : (Hashes.each({ n => 1 }) { deep[n - 1] }; n) }
deep[300] # => 300

text = "in the table"
one = Hashes.interned(text.dup)
[one.equal?(-text), one.frozen?, one.encoding == Encoding::UTF_8] # => [true, true, true]
Hashes.interned("in the table".b).equal?(one) # => false
%w[é ẞ].all? { |word| Hashes.interned(word.dup).equal?(-word.encode("UTF-8")) } # => true
Hashes.interned("é".encode("ISO-8859-1")).equal?(-"é".encode("ISO-8859-1")) # => true
Hashes.interned("".b).equal?(-"".b) # => true

Hashes.indices("x".b) == [0, Encoding::BINARY, true] # => true
Hashes.indices("x") == [1, Encoding::UTF_8, true] # => true
Hashes.indices(:x).drop(1) == [Encoding::US_ASCII, true] # => true
Hashes.indices(/é/).drop(1) == [Encoding::UTF_8, true] # => true
[0, -1, 2, -4, 3].map { |at| Hashes.entry([1, 2, 3], at) } # => [1, 3, 3, nil, nil]
