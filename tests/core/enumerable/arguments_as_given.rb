# An enumerator shows the arguments of the call, neither converted ones nor defaults,
# and what is wrong is named as everywhere.
# needs: 4.0
class Pairs; include Enumerable; def each; yield 1; yield 2; self; end; def inspect = "#<Pairs>"; end
class Liar; def to_str = 1; def to_hash = 3; def inspect = "#<Liar>"; end
Pairs.new.find # => #<Enumerator: #<Pairs>:find>
Pairs.new.find(nil) # => #<Enumerator: #<Pairs>:find(nil)>
[1].detect # => #<Enumerator: [1]:detect>
[1].find_index # => #<Enumerator: [1]:find_index>
Pairs.new.each_slice(1.5) # => #<Enumerator: #<Pairs>:each_slice(1.5)>
[1].each_cons(1.5) # => #<Enumerator: [1]:each_cons(1.5)>
Pairs.new.max_by(nil) # => #<Enumerator: #<Pairs>:max_by(nil)>
[1].min_by # => #<Enumerator: [1]:min_by>
[1].permutation # => #<Enumerator: [1]:permutation>
[1].permutation(nil) # => #<Enumerator: [1]:permutation(nil)>
[1].combination(nil) # raises TypeError: no implicit conversion from nil to integer
"a\nb".each_line # => #<Enumerator: "a\nb":each_line>
"a\nb".each_line("x") # => #<Enumerator: "a\nb":each_line("x")>
"a\nb".each_line(chomp: true) # => #<Enumerator: "a\nb":each_line(chomp: true)>
Set[1].map! # => #<Enumerator: Set[1]:collect!>
Set[1].filter! # => #<Enumerator: Set[1]:select!>
[1].tally(nil) # raises TypeError: no implicit conversion of nil into Hash
Pairs.new.tally(true) # raises TypeError: no implicit conversion of true into Hash
Pairs.new.tally(Liar.new) # raises TypeError: can't convert Liar into Hash (Liar#to_hash gives Integer)
Pairs.new.inject(Liar.new) # raises TypeError: can't convert Liar into String (Liar#to_str gives Integer)
[1].reduce(Liar.new) # raises TypeError: can't convert Liar into String (Liar#to_str gives Integer)
Pairs.new.count(1, 2) # raises ArgumentError: wrong number of arguments (given 2, expected 1)
Pairs.new.slice_before(1) { true } # raises ArgumentError: wrong number of arguments (given 1, expected 0)
[3, "a"].minmax_by { |x| x } # raises ArgumentError: comparison of Integer with String failed
%w[bb a ccc dd].minmax_by(&:size) # => ["a", "ccc"]
[].minmax_by { |x| x } # => [nil, nil]
[5].minmax_by { |x| x } # => [5, 5]
[].zip(nil) # => []
[1].zip(nil) # raises TypeError: wrong argument type NilClass (must respond to :each)
1.step(10, 3).with_index { } # => 1
(1..20).step(4).each_with_index { } # => 1..20
1.step(10, 3).last(2**70) # => [1, 4, 7, 10]
1.step(10, 3).last(Float::INFINITY) # raises FloatDomainError: Infinity
[1].each.with_index(1e20).to_a # => [[1, 100000000000000000000]]
[1].each.with_index(Float::NAN) { } # raises FloatDomainError: NaN
