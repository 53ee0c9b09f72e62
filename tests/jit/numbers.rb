# Arithmetic in compiled loops: results beyond small Integers, divisions, Floats that are no immediates.
# flags: --jit-threshold=2

def repeat(n) = n.times.map { yield }.uniq.then { |list| list.size == 1 ? list[0] : list }

def sum(from, step, n)
  i = 0
  while i < n
    from += step
    i += 1
  end
  from
end

sum(0, 3, 100) # => 300
sum(0.5, 0.25, 100) # => 25.5
sum(2**61, 2**60, 4) # => 6917529027641081856
sum(-2**61, -2**60, 4) # => -6917529027641081856
sum(1, 0.5, 4) # => 3.0
sum(0.5, 1, 4) # => 4.5
sum(1r, 1, 3) # => (4/1)
sum("", "ab", 3) # => "ababab"
sum([1], [2], 3) # => [1, 2, 2, 2]
sum(0, 3, 100) # => 300

def both(a, b) = [a / b, a % b]

[[7, 2], [-7, 2], [7, -2], [-7, -2], [6, 3], [-6, 3], [0, 5], [0, -5], [1, 2**62]].map { |a, b| repeat(5) { both(a, b) } } # => [[3, 1], [-4, 1], [-4, -1], [3, -1], [2, 0], [-2, 0], [0, 0], [0, 0], [0, 1]]
repeat(5) { both(-2**62, -1) } # => [4611686018427387904, 0]
repeat(5) { both(1, 0) rescue $!.message } # => "divided by 0"
repeat(5) { both(7.5, 2) } # => [3.75, 1.5]
def quotient(a, b) = a / b
repeat(5) { [quotient(7, 0.0), quotient(-7.0, 0), quotient(6, 4), quotient(6.0, 4)] } # => [Infinity, -Infinity, 1, 1.5]

def by_constants(n) = [n / 4, n % 4, n / 10, n % 10, n / -3, n % -3, n << 3, n >> 2, n & 12, n | 3, n ^ 5, -n, ~n]

repeat(5) { by_constants(23) } # => [5, 3, 2, 3, -8, -1, 184, 5, 4, 23, 18, -23, -24]
repeat(5) { by_constants(-23) } # => [-6, 1, -3, 7, 7, -2, -184, -6, 8, -21, -20, 23, 22]
repeat(5) { by_constants(2**61).values_at(6, 11) } # => [18446744073709551616, -2305843009213693952]
repeat(5) { by_constants(-2**62)[11] } # => 4611686018427387904

def shift(a, b) = [a << b, a >> b]

[[1, 3], [1, 61], [1, 62], [1, 64], [1, 200], [5, -1], [-5, 1], [-1, 100]].map { |a, b| repeat(4) { shift(a, b) } } # => [[8, 0], [2305843009213693952, 0], [4611686018427387904, 0], [18446744073709551616, 0], [1606938044258990275541962092341162602522202993782792835301376, 0], [2, 10], [-10, -3], [-1267650600228229401496703205376, -1]]

def product(a, b) = a * b

[[3, 4], [2**31, 2**31], [2**40, 2**40], [-2**31, 2**31], [0, -5], [1.5, 2], [2, 1.5], ["ab", 2]].map { |a, b| repeat(4) { product(a, b) } } # => [12, 4611686018427387904, 1208925819614629174706176, -4611686018427387904, 0, 3.0, 3.0, "abab"]

# Floats that are objects: 0.0 with a sign, huge and tiny ones.
def scale(x, n)
  i = 0
  while i < n
    x *= 1.0e100
    i += 1
  end
  x
end

repeat(4) { scale(1.0, 3) } # => 1.0e+300
repeat(4) { scale(1.0, 4) } # => Infinity
repeat(4) { scale(-0.0, 3).to_s } # => "-0.0"
repeat(4) { scale(0.0, 3).to_s } # => "0.0"
repeat(4) { scale(Float::NAN, 3).to_s } # => "NaN"
repeat(4) { 1.7272337110188893e-77 * scale(1.0, 0) } # => 1.7272337110188893e-77

def order(a, b) = [a < b, a <= b, a > b, a >= b, a == b, a != b]

[[1, 2], [2, 2], [3, 2], [1.0, 2.0], [2.0, 2], [2, 2.0], [2**62, 2.0**62], [Float::NAN, Float::NAN], ["a", "b"], [-0.0, 0.0]].map { |a, b| repeat(4) { order(a, b).map { it ? 1 : 0 }.join } } # => ["110001", "010110", "001101", "110001", "010110", "010110", "010110", "000001", "110001", "010110"]
# Beyond 2 ** 53 an Integer is no Float exactly.
def same(a, b) = a == b
repeat(4) { [same(2.0**53, 2**53), same(2.0**53, 2**53 + 1), same(2**53 + 1, 2.0**53)] } # => [true, false, false]
def below(x, n)
  i = 0
  i += 1 while i < n && i < x
  i
end
repeat(4) { [below(10.5, 100), below(10, 100), below(2**70, 5)] } # => [11, 10, 5]
repeat(4) { (below(nil, 1) rescue $!.message) } # => "comparison of Integer with nil failed"
