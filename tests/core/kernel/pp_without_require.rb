# The first pp loads the library: what is long is broken into lines
# needs: 3.4

pp({ numbers: (100000000..100000004).to_a, name: "x" * 30 })
# prints: {numbers: [100000000, 100000001, 100000002, 100000003, 100000004],
# prints:  name: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}
pp # => nil
(pp 1, 2) # => [1, 2]
# prints: 1
# prints: 2
