# A rest parameter survives the collection that making the block's Proc may bring.
def both(*rest, &block) = [rest.size, rest, block.call]
3.times.map { method(:both).call { 1 } }.uniq # => [[0, [], 1]]
3.times.map { |i| both(i) { i } } # => [[1, [0], 0], [1, [1], 1], [1, [2], 2]]
def optional(a = 1, *rest, &block) = [a, rest, block&.call]
optional { 2 } # => [1, [], 2]
optional(3, 4) { 2 } # => [3, [4], 2]
optional # => [1, [], nil]
def keywords(*rest, k: 5, &block) = [rest, k, block.call]
keywords(1) { 2 } # => [[1], 5, 2]
{ a: 1, b: 2 }.method(:reduce).call { |*all| all.size } # => 2
{ a: 1, b: 2, c: 3 }.public_send(:inject) { |memo, pair| pair } # => [:c, 3]
