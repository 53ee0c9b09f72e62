# Methods over entries: transform_values, any?, merge and update, also when the block changes or leaves the Hash.

h = {a: 1, b: 2, c: 3}
[h.transform_values { it * 2 }, h.transform_values(&:to_s), {}.transform_values { 1 }] # => [{a: 2, b: 4, c: 6}, {a: "1", b: "2", c: "3"}, {}]
h.delete(:b)
h.transform_values { it + 1 } # => {a: 2, c: 4}
identity = {}.compare_by_identity
identity["k"] = 1
identity.transform_values { it + 1 }.compare_by_identity? # => true
[h.transform_values { break :left }, h] # => [:left, {a: 1, c: 3}]
grown = {a: 1, b: 2}
grown.transform_values { |v| grown[:"x#{v}"] = v; v + 1 } # => {a: 2, b: 3}
grown # => {a: 1, b: 2, x1: 1, x2: 2}
class Kept < Hash; end
Kept[a: 1].transform_values { it }.class # => Hash
Hash.new(5).merge!(a: 1).transform_values { it }.default # => nil
(1..100).to_h { ["k#{it}", "v#{it}"] }.transform_values { |v| v + "!" }["k100"] # => "v100!"

[h.any?, {}.any?, h.any? { |k, v| v > 2 }, h.any? { |pair| pair == [:a, 1] }, h.any? { false }, {nil => nil}.any?] # => [true, false, true, true, false, true]
[h.any?([:a, 1]), h.any?(Array), {}.any?(Array)] # => [true, true, false]
h.any?(1, 2) # raises ArgumentError: wrong number of arguments (given 2, expected 0..1)
h.any? { h[:new] = 1 } # raises RuntimeError: can't add a new key into hash during iteration
h[:later] = 1
h # => {a: 1, c: 3, later: 1}

[h.merge, h.merge({d: 4}, {a: 0}), h.merge({a: 2}) { |k, x, y| [k, x, y] }] # => [{a: 1, c: 3, later: 1}, {a: 0, c: 3, later: 1, d: 4}, {a: [:a, 1, 2], c: 3, later: 1}]
h.update({a: 5}, {c: 6}) { |_, x, y| x + y } # => {a: 6, c: 9, later: 1}
h.update.equal?(h) # => true
h.freeze.update({z: 1}) # raises FrozenError: can't modify frozen Hash: {a: 6, c: 9, later: 1}
h.merge(1) # raises TypeError: no implicit conversion of Integer into Hash
