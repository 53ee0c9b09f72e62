# Enumerators, lazy evaluation, big numbers.
primes = Enumerator.new do |y|
  composites = {}
  (2..).each do |n|
    if (factors = composites.delete(n))
      factors.each { |f| (composites[n + f] ||= []) << f }
    else
      y << n
      composites[n * n] = [n]
    end
  end
end
primes.take(15) # => [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]
primes.lazy.select { |p| p % 10 == 7 }.first(5) # => [7, 17, 37, 47, 67]
primes.each_slice(4).first(2) # => [[2, 3, 5, 7], [11, 13, 17, 19]]
primes.take(30).inject(:*) # => 31610054640417607788145206291543662493274686990
fib = Hash.new { |h, n| h[n] = n < 2 ? n : h[n - 1] + h[n - 2] }
fib[200] # => 280571172992510140037611932413038677189525
m = [[1, 1], [1, 0]]
product = ->(a, b) { a.map { |r| b.transpose.map { |c| r.zip(c).sum { |x, y| x * y } } } }
([m] * 90).inject(&product)[0][1] # => 2880067194370816120
