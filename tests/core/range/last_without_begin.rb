# needs: 4.0
(..10).last(3) # => [8, 9, 10]
(nil...10).last(3) # => [7, 8, 9]
(..2**70).last(1) # => [1180591620717411303424]
(..10).last(0) # => []
(..10).last # => 10
(..10).last(-1) # raises ArgumentError: negative array size
(..10.5).last(1) # raises TypeError: can't iterate from NilClass
