r = Random.new(42)
r.rand(100) # => 51
r.rand # => 0.9507143064099162
r.rand(1..6) # => 3
r.rand(1.0..2.0) # => 1.7796909975816166
r.bytes(4).bytes # => [20, 44, 203, 152]
r.seed # => 42
Random.new(42) == Random.new(42) # => true
[1, 2, 3, 4, 5].shuffle(random: Random.new(1)) # => [3, 2, 5, 1, 4]
[1, 2, 3].sample(random: Random.new(3)) # => 3
Random.new(7).rand(2**70) # => 871190637201198727705
Random.new(1).rand(10**9) # => 717354021
r.rand(0) # raises ArgumentError: invalid argument - 0
r.rand(-1) # raises ArgumentError: invalid argument - -1
Random.rand(1.0).class # => Float
Random.new_seed.class # => Integer
Random.random_number(5).between?(0, 4) # => true
Random.bytes(3).size # => 3

# More numbers than are drawn at a time, and bytes that end within a word.
(1..1000).to_a.shuffle(random: Random.new(5)).values_at(0, 1, 500, 998, 999) # => [545, 516, 35, 207, 868]
Random.new(5).bytes(7).unpack("C*") # => [99, 139, 212, 56, 206, 72, 32]
Random.singleton_class.include?(Random::Formatter) # => true
Random.method(:random_number).owner # => Random::Formatter
(0...10).cover?(Random.random_number(10)) # => true
