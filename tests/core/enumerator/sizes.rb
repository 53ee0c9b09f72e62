# Sizes and offsets beyond machine integers, infinite and unknown ones; what inspect shows of missing arguments.
Enumerator.new(1 << 70) {}.size # => 1180591620717411303424
[:a].each.with_index(1 << 70).to_a # => [[:a, 1180591620717411303424]]
unknown = Enumerator.new {}
Enumerator::Product.new(1.., unknown).size # => Infinity
Enumerator::Product.new(unknown, 1..).size # => nil
Enumerator::Product.new(1.., []).size # => 0
Enumerator::Product.new([], unknown).size # => 0
[1, 2].cycle.inspect # => "#<Enumerator: [1, 2]:cycle>"
[1, 2].cycle(nil).inspect # => "#<Enumerator: [1, 2]:cycle(nil)>"
(1..3).lazy.cycle.inspect # => "#<Enumerator::Lazy: #<Enumerator::Lazy: 1..3>:cycle>"
[1, 2].cycle.size # => Infinity
[].to_enum { 0 }.cycle("").size # raises TypeError: no implicit conversion of String into Integer
source = Class.new { include Enumerable; attr_reader :given; def each(*given) = (@given = given; yield 1) }.new
source.lazy.each(4).first # => 1
source.given # => [4]
