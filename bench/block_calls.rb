# Yield, block.call, procs, lambdas, closures over variables.
def twice
  yield 1
  yield 2
end

def forward(&block)
  twice(&block)
end

def call(block, x)
  block.call(x)
end

sum = 0
2_500_000.times { |i| twice { |x| sum += x + i } }
add = ->(x) { sum += x }
curried = ->(a, b, c) { a + b + c }.curry
3_000_000.times { |i| call(add, i) }
1_000_000.times { forward { |x| sum -= x } }
1.upto(2_000_000) { |i| sum += i if i.odd? }
500_000.times { |i| sum += curried[i][1][2] if i % 5 == 0 }
counters = Array.new(10) { n = 0; -> { n += 1 } }
150_000.times { counters.each(&:call) }
puts sum, counters.sum(&:call)
