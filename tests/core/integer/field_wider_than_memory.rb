# needs: 4.0
# A field of a size beyond every memory, of a number that ends long before.
big = 10**400
big[0, 2**62] == big # => true
big[3..2**62] == big >> 3 # => true
