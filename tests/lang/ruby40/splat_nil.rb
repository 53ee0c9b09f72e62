# needs: 4.0
def nil.to_a = [1, 2]
[*nil] # => []
[0, *nil, 3] # => [0, 3]
