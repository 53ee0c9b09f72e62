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
