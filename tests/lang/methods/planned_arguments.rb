# Optional, keyword and block parameters at one call site, over and over and for different methods.

class Few
  def opt(a, b = a + 1, c = b * 2) = [a, b, c]
  def key(a, k:, l: k + 1, m: [a, l]) = [a, k, l, m]
  def both(a, b = 5, k: b, l: nil) = [a, b, k, l]
  def only(k: 1, l: 2) = [k, l]
  def block(a, b = 2, k: 3, &c) = [a, b, k, c&.call]
end

class Other
  def opt(*all) = all
  def key(a, **rest) = [a, rest]
  def both(a, b, k) = [a, b, k]
  def only(hash = :none) = hash
  def block(a, &c) = c
end

few = Few.new
[few.opt(1), few.opt(1, 7), few.opt(1, 7, 9)] # => [[1, 2, 4], [1, 7, 14], [1, 7, 9]]
[few.key(1, k: 2), few.key(1, m: 0, k: 2), few.key(1, l: 5, m: 6, k: 7)] # => [[1, 2, 3, [1, 3]], [1, 2, 3, 0], [1, 7, 5, 6]]
[few.both(1), few.both(1, 2), few.both(1, k: 3), few.both(1, 2, l: 4, k: 3)] # => [[1, 5, 5, nil], [1, 2, 2, nil], [1, 5, 3, nil], [1, 2, 3, 4]]
[few.only, few.only(l: 9), few.only(l: 9, k: 8)] # => [[1, 2], [1, 9], [8, 9]]
[few.block(0), few.block(0, k: 1) { :b }, few.block(0, 1, &nil)] # => [[0, 2, 3, nil], [0, 2, 1, :b], [0, 1, 3, nil]]

def few.opts(object) = object.opt(1, 2)
def few.keys(object) = object.key(1, l: 2, k: 3)
def few.boths(object) = object.both(1, 2, k: 3)
def few.onlys(object) = object.only(l: 2)
both = [few, Other.new, few, Other.new]
both.map { |o| few.opts(o) } # => [[1, 2, 4], [1, 2], [1, 2, 4], [1, 2]]
both.map { |o| few.keys(o) } # => [[1, 3, 2, [1, 2]], [1, {l: 2, k: 3}], [1, 3, 2, [1, 2]], [1, {l: 2, k: 3}]]
both.map { |o| few.boths(o) } # => [[1, 2, 3, nil], [1, 2, {k: 3}], [1, 2, 3, nil], [1, 2, {k: 3}]]
both.map { |o| few.onlys(o) } # => [[1, 2], {l: 2}, [1, 2], {l: 2}]

# What does not fit.
few.opt # raises ArgumentError: wrong number of arguments (given 0, expected 1..3)
few.opt(1, 2, 3, 4) # raises ArgumentError: wrong number of arguments (given 4, expected 1..3)
few.key(1) # raises ArgumentError: missing keyword: :k
few.key(1, k: 1, z: 2) # raises ArgumentError: unknown keyword: :z
few.key(k: 1) # raises ArgumentError: wrong number of arguments (given 0, expected 1; required keyword: k)
few.only(1) # raises ArgumentError: wrong number of arguments (given 1, expected 0)

# A site follows redefinition.
def few.again = opt(1)
few.again # => [1, 2, 4]
class Few
  def opt(a, b = :new) = [a, b]
end
few.again # => [1, :new]

# Many keywords.
def many(a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8) = [a, b, c, d, e, f, g, h]
def more(a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9) = [a, b, c, d, e, f, g, h, i]
many(h: 0, a: 9, d: nil) # => [9, 2, 3, nil, 5, 6, 7, 0]
more(i: 0, a: 9, d: nil) # => [9, 2, 3, nil, 5, 6, 7, 8, 0]

# Objects made while arguments wait for their registers.
def kept(a, b = "b#{a}", k: "k#{b}", &block) = [a, b, k, block.call("x")]
(1..200).map { |i| kept("a#{i}", k: "k#{i}") { |x| x + "y" } }.last # => ["a200", "ba200", "k200", "xy"]
