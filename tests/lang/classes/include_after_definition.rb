module A; end
class K; include A; end
module B; def b = :b; end
module A; include B; end
K.new.b # => :b
K.ancestors.take(3) # => [K, A, B]
module C; def c = :c; end
class K; prepend C; end
K.ancestors.take(4) # => [C, K, A, B]
K.new.c # => :c
