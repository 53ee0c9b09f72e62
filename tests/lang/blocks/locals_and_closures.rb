x = 10
[1].each { |i; x| x = i }
x # => 10
[1].each { |i| x = i }
x # => 1
[5].each { |x| x }
x # => 1
counter = 0
inc = -> { counter += 1 }
3.times(&inc.then { |f| proc { f.call } })
counter # => 3
adders = (1..3).map { |n| ->(m) { n + m } }
adders.map { |f| f.(10) } # => [11, 12, 13]
if false
  never = 1
end
never # => nil
1.times { inner = 1 }
defined?(inner) # => nil
