a = [1, 2, 3].freeze
a << 1 # raises FrozenError: can't modify frozen Array: [1, 2, 3]
a.sort! # raises FrozenError: can't modify frozen Array: [1, 2, 3]
a.map! { 1 } # raises FrozenError: can't modify frozen Array: [1, 2, 3]
a.clear # raises FrozenError: can't modify frozen Array: [1, 2, 3]
a.frozen? # => true
a.dup << 4 # => [1, 2, 3, 4]
b = [1, 2, 3]
b.each { |x| b.freeze if x == 2 }.frozen? # => true
