# Compiled code calls methods that are not compiled, or leave their code: the interpreter runs them, the caller goes on.
# flags: --jit-threshold=2

# What stays interpreted: code that opens a class.
def opens(n)
  class << self; self; end
  n + 1
end
def sum_of_opened(n)
  i = sum = 0
  while i < n
    sum += opens(i)
    i += 1
  end
  sum
end
sum_of_opened(5) # => 15
sum_of_opened(50) # => 1275

# Operands change in the callee.
def twice(x) = x + x
def doubles(list)
  result = []
  i = 0
  while i < list.size
    result << twice(list[i])
    i += 1
  end
  result
end
doubles([1, 2, 3, 4]) # => [2, 4, 6, 8]
doubles([1, "a", 2.5, [3], 1 << 62]) # => [2, "aa", 5.0, [3, 3], 9223372036854775808]

# Exceptions, throws, breaks and returns pass through.
def opens_and_raises(n)
  class << self; self; end
  raise ArgumentError, "at #{n}" if n == 7
  n
end
def passes_on(n) = opens_and_raises(n) + 1
def rescued(n)
  i = 0
  while i < n
    passes_on(i)
    i += 1
  end
  i
rescue ArgumentError => e
  [i, e.message, e.backtrace_locations.first(3).map { |l| [l.label, l.lineno] }]
end
rescued(5) # => 5
rescued(10) # => [7, "at 7", [["Object#opens_and_raises", 37], ["Object#passes_on", 40], ["Object#rescued", 44]]]

def throws(n)
  class << self; self; end
  throw :found, n if n == 3
  n
end
def catches = catch(:found) { i = 0; loop { throws(i); i += 1 } }
Array.new(4) { catches } # => [3, 3, 3, 3]

def yields(n)
  class << self; self; end
  yield n
end
def breaks(n)
  i = 0
  while i < n
    found = yields(i) { |x| break x * 10 if x == 4; x }
    return [found, i] if found == 40
    i += 1
  end
end
Array.new(3) { breaks(9) } # => [[40, 4], [40, 4], [40, 4]]
def returns(n)
  i = 0
  while i < n
    yields(i) { |x| return x * 100 if x == 4 }
    i += 1
  end
end
Array.new(3) { returns(9) } # => [400, 400, 400]

# Fibers change between what is compiled and what is not.
def hands_out(n)
  class << self; self; end
  Fiber.yield(n)
end
def generator(n)
  Fiber.new do
    i = 0
    while i < n
      hands_out(i)
      i += 1
    end
    :end
  end
end
Array.new(3) { g = generator(4); Array.new(5) { g.resume } } # => [[0, 1, 2, 3, :end], [0, 1, 2, 3, :end], [0, 1, 2, 3, :end]]

# Deep recursion goes through both.
def down(n)
  class << self; self; end
  n == 0 ? 0 : across(n - 1) + 1
end
def across(n) = n == 0 ? 0 : down(n - 1) + 1
5.times { across(10) }
across(8000) # => 8000
Thread.new { across(3000) }.value # => 3000
Fiber.new { across(2000) }.resume # => 2000
def endless(n)
  class << self; self; end
  endless_too(n + 1)
end
def endless_too(n) = endless(n + 1)
def ends
  endless(0)
rescue SystemStackError => e
  e.class
end
ends # => SystemStackError

# Interpolation and new take their own results.
class Named
  def initialize(name)
    class << self; self; end
    @name = name
  end
  def to_s
    class << self; self; end
    @name
  end
end
def texts(n) = Array.new(n) { |i| "<#{Named.new(i.even? ? "even" : :odd)}>" }.map { |s| s.sub(/#<Named.*>/, "Named>") }
texts(3) # => ["<even>", "<Named>", "<even>"]
texts(3) # => ["<even>", "<Named>", "<even>"]

# Comparisons that are decided by interpreted methods.
class Ordered
  attr_reader :rank
  def initialize(rank) = @rank = rank
  def <(other)
    class << self; self; end
    @rank < other.rank
  end
  def []=(at, value)
    class << self; self; end
    @rank = at
    :ignored
  end
end
def lowest(list)
  low = list[0]
  list.each { |item| low = item if item < low }
  low.rank
end
lowest([5, 3, 9].map { Ordered.new(it) }) # => 3
lowest([5, 3, 9, 1, 4].map { Ordered.new(it) }) # => 1
def sets(item) = (item[4] = 5)
Array.new(3) { sets(Ordered.new(1)) } # => [5, 5, 5]

# Numbers that are objects as receivers of methods of Integer and Float.
def halves(list)
  i = sum = 0
  while i < list.size
    sum += list[i].fdiv(2) + list[i].digits.size + list[i].to_s.size
    i += 1
  end
  sum
end
halves([1, 2, 3] * 20) # => 180.0
halves([1 << 70, 3, 1 << 65] * 20) # => 1.2174851088648304e+22
halves([1, 2, 3] * 20) # => 180.0
def rounded(list) = list.map { it.floor(2).to_s }
rounded([1.25, 1e-200, 2.5, 1e250] * 10).tally # => {"1.25" => 10, "0.0" => 10, "2.5" => 10, "1.0e+250" => 10}
