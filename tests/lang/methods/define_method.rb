class E
  define_method(:a) { |x = 1, *r, k: 2| [x, r, k] }
  define_method(:b, &->(x) { x })
  define_method(:c, instance_method(:a))
  %w[d e].each_with_index { |n, i| define_method(n) { i } }
  define_method(:ret) { [1, 2].each { |x| return x } }
  define_method(:blk) { |&b| b.call }
end
e = E.new
e.a(3, 4, k: 5) # => [3, [4], 5]
e.b # raises ArgumentError: wrong number of arguments (given 0, expected 1)
e.c # => [1, [], 2]
[e.d, e.e] # => [0, 1]
e.ret # => 1
e.blk { 9 } # => 9
E.define_method(:z) { 1 } # => :z
e.define_singleton_method(:s) { self.class } # => :s
e.s # => E
