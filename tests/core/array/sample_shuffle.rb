[1, 2, 3].shuffle.sort # => [1, 2, 3]
[1, 2, 3].sample.class # => Integer
[].sample # => nil
[1, 2, 3].sample(2).size # => 2
[1].sample(5) # => [1]
[1].sample(-1) # raises ArgumentError: negative sample number
