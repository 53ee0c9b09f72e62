def m(x)
  case x
  in [] then :empty
  in [Integer => a] then [:one, a]
  in [a, [b, *c]] then [:nested, a, b, c]
  in [:cmd, *args] then [:cmd, args]
  in [first, *, last] then [:ends, first, last]
  end
end
m([]) # => :empty
m([1]) # => [:one, 1]
m([1, [2, 3, 4]]) # => [:nested, 1, 2, [3, 4]]
m([:cmd, 1, 2]) # => [:cmd, [1, 2]]
m([1, 2, 3]) # => [:ends, 1, 3]
m(5) # raises NoMatchingPatternError: 5
m(["a"]) # raises NoMatchingPatternError: ["a"]
case [1, 2, 3, 42, 5]
in [*, 40..50 => found, *after]
  [found, after] # => [42, [5]]
end
case [1, [2]]
in Integer => a, [b]
  [a, b] # => [1, 2]
end
(case [1, 1]; in [x, ^x] then :same end) # => :same
