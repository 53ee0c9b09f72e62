# Methods that are called with the elements of an Array, over and over.
def pair(a, b) = [a, b]
def triple(a, b, c) = [a, b, c]
def none = :none
def hash_last(a, b) = b
def sum(left, right)
  return 1 if left.nil?
  1 + sum(*left) + sum(*right)
end
def tree(depth) = depth > 0 ? [tree(depth - 1), tree(depth - 1)] : [nil, nil]

def all(list) = pair(*list)
def behind(first, list) = triple(first, *list)
def empty(list) = none(*list)
def error(list)
  pair(*list)
rescue ArgumentError => e
  e.message
end

200.times.map { all([1, 2]) }.uniq # => [[1, 2]]
200.times.map { behind(0, [1, 2]) }.uniq # => [[0, 1, 2]]
200.times.map { empty([]) }.uniq # => [:none]
200.times.map { empty(nil) }.uniq # => [:none]
sum(*tree(8)) # => 511
error([1]) # => "wrong number of arguments (given 1, expected 2)"
error([1, 2, 3]) # => "wrong number of arguments (given 3, expected 2)"
error((1..2)) # => [1, 2]
error(nil) # => "wrong number of arguments (given 0, expected 2)"
error([3, 4]) # => [3, 4]

# The Array is neither kept nor changed.
list = ["a", "b"]
100.times.map { all(list).map(&:object_id) == list.map(&:object_id) }.uniq # => [true]
list # => ["a", "b"]
def changes(list)
  pair(*list, &(list << 3; nil))
rescue ArgumentError
  :changed
end
changes([1, 2]) # => [1, 2]

# Keywords that a delegating method has flagged go on as keywords.
class Delegator
  ruby2_keywords def handed(*args) = target(*args)
  def target(a, b = nil, **options) = [a, b, options]
end
100.times.map { Delegator.new.handed(1, k: 2) }.uniq # => [[1, nil, {k: 2}]]
class Strict
  ruby2_keywords def handed(*args) = target(*args)
  def target(a, b) = [a, b]
end
100.times.map { Strict.new.handed(1, k: 2) }.uniq # => [[1, {k: 2}]]

# Other receivers, other methods, many arguments.
class A; def call(a, b) = a + b; end
class B; def call(a, b) = a - b; end
class C; def call(*rest) = rest.sum; end
class D; def call(a, b = 2, c: 3) = [a, b, c]; end
def any(receiver, args) = receiver.call(*args)
receivers = [A.new, B.new, C.new, D.new]
100.times.map { receivers.map { |r| any(r, [5, 3]) } }.uniq # => [[8, 2, 8, [5, 3, 3]]]
def many(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = [a, p]
def twenty(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t) = [a, t]
def spread_many(list) = many(*list)
def spread_twenty(list) = twenty(*list)
100.times.map { spread_many((1..16).to_a) + spread_twenty([*1..20]) }.uniq # => [[1, 16, 1, 20]]

# Literals are fresh each time.
def literal = [nil, 1]
def long_literal = [1, 2, 3, 4, 5, 6, 7, 8]
def table = { a: 1, b: 2 }
100.times.map { literal << 2 }.uniq # => [[nil, 1, 2]]
100.times.map { long_literal.push(9).size }.uniq # => [9]
100.times.map { table.tap { |t| t[:c] = 3 } }.uniq # => [{a: 1, b: 2, c: 3}]

# In deep recursion, with values that only the calls hold.
def deep(n, text) = n == 0 ? text : deep(*[n - 1, text + "."])
deep(300, +"x").size # => 301
def fails(a, b) = raise("#{a} #{b}")
def protected_call(list)
  fails(*list)
rescue => e
  e.message
end
100.times.map { protected_call([1, 2]) }.uniq # => ["1 2"]
