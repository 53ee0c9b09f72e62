# Equal seeds give CRuby's picks, whatever the algorithm for the number of elements

list = (0...3000).to_a
def pick(list, n) = list.sample(n, random: Random.new(42))
pick(list, 2) # => [860, 1295]
pick(list, 3) # => [860, 1295, 1131]
pick(list, 10).first(4) # => [860, 1295, 1131, 1096]
pick(list, 11).last(4) # => [1245, 338, 1491, 2145]
pick(list, 17).last(4) # => [1698, 783, 2406, 1531]
pick(list, 40).last(4) # => [2770, 599, 1937, 1306]
pick(list, 400).last(4) # => [2707, 1992, 402, 1525]
pick(list, 5000).last(4) # => [789, 2728, 2863, 188]
list.shuffle(random: Random.new(3)).last(4) # => [968, 1667, 1688, 1898]
srand 5
list.sample # => 2915
[1, 2].sample(9).size # => 2
generator = Object.new
def generator.rand(limit) = limit - 1
list.sample(3, random: generator) # => [2999, 2998, 2997]
list.sample(12, random: generator).last(2) # => [9, 10]
