# Seconds that are no C int are out of range, others no seconds.
Time.gm(2000, 1, 1, 0, 0, 1e20) # raises RangeError: bignum too big to convert into 'long'
Time.gm(2000, 1, 1, 0, 0, 2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Time.gm(2000, 1, 1, 0, 0, -2**40) # raises RangeError: integer -1099511627776 too small to convert to 'int'
Time.gm(2000, 1, 1, 0, 0, 1000) # raises ArgumentError: argument out of range
