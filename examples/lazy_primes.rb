# Endless sequences: an Enumerator for the primes, and pattern matching on what comes out.
primes = Enumerator.new do |yielder|
  found = []
  (2..).each do |n|
    next if found.any? { |prime| break false if prime * prime > n; n % prime == 0 }
    found << n
    yielder << n
  end
end

puts primes.first(10).join(" ")

primes.lazy.each_cons(2).select { |a, b| b - a == 2 }.first(5).each do |pair|
  case pair
  in [Integer => first, second]
    puts "twins #{first} and #{second}"
  end
end
