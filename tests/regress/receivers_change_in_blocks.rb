# Blocks that change what their method works on.

# Hash: select and reject work on a copy; update is an iteration while its block runs.
hash = { a: 1, b: 2 }
hash.select { |k, _| hash[:c] = 3; k == :a } # => {a: 1}
hash # => {a: 1, b: 2, c: 3}
hash.reject { |k, _| hash.delete(:c); k == :a } # => {b: 2, c: 3}
hash.update({ a: 5 }) { hash[:new] = 1 } # raises RuntimeError: can't add a new key into hash during iteration
hash.update({ a: 5, d: 6 }) { |_, old, new| hash[:a] = 0; old + new } # => {a: 6, b: 2, d: 6}
hash.merge({ a: 1 }) { hash[:e] = 7; 0 } # => {a: 0, b: 2, d: 6}
hash.update({ a: 1 }) { raise "left" } rescue nil
hash[:f] = 8
hash.keys # => [:a, :b, :d, :e, :f]

# Array
list = [3, 1, 2]
list.sort_by! { |n| list.clear; n } # => [3]
list = [3, 1, 2]
list.fill { |i| list.clear; i } # => []
list = [1]
list.fill(0, 3) { |i| i + list.size } # => [3, 4, 5]
list = [3, 2, 1] * 10
list.sort! { |a, b| list.freeze; a <=> b } # raises FrozenError: array frozen during sort
list = [1, 2, 3]
clearing = Class.new { define_method(:<=>) { |_| list.clear; 0 } }.new
list[0] = clearing
list <=> [1, 2, 3] # => nil
list = [*1..15]
emptying = Class.new { define_method(:rand) { |_| list.clear; 0 } }.new
list.sample(12, random: emptying) # => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
list = [1, 2, 3]
list.shuffle!(random: emptying) # raises RuntimeError: modified during shuffle

# String
text = +"abc"
text.scan(/./) { text.clear } # raises RuntimeError: string modified
text = +"abc"
text.scan("b") { text << "d" } # raises RuntimeError: string modified
text = +"a\xFFb"
text.scrub { text << "x"; "?" } # raises RuntimeError: string modified
text = +"ab"
text.unpack("CC") { text << "x" } # raises RuntimeError: string modified
