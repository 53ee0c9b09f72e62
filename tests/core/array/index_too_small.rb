[][-1] = 1 # raises IndexError: index -1 too small for array; minimum: 0
[][-2, 1] = 1 # raises IndexError: index -2 too small for array; minimum: 0
[1, 2][-3] = 1 # raises IndexError: index -3 too small for array; minimum: -2
