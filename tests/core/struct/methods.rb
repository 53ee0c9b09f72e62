S = Struct.new(:a, :b)
s = S.new(1, 2)
s.to_a # => [1, 2]
s == S.new(1, 2) # => true
s.eql?(S.new(1.0, 2)) # => false
s.hash == S.new(1, 2).hash # => true
s.each_pair.to_a # => [[:a, 1], [:b, 2]]
s.select(&:odd?) # => [1]
s.size # => 2
s.members # => [:a, :b]
s.sum # => 3
s.dig(:a) # => 1
s.values # => [1, 2]
s.inspect # => "#<struct S a=1, b=2>"
s.to_h { |k, v| [k.to_s, v * 2] } # => {"a" => 2, "b" => 4}
s.deconstruct_keys([:a]) # => {a: 1}
S.new(1) <=> S.new(2) rescue $!.class # => nil
s.dup.tap { |c| c.a = 9 }.a # => 9
s.a # => 1
s[2] # raises IndexError: offset 2 too large for struct(size:2)
s[-3] # raises IndexError: offset -3 too small for struct(size:2)
s[:c] # raises NameError: no member 'c' in struct
s.freeze.a = 2 # raises FrozenError: can't modify frozen S: #<struct S a=1, b=2>
S.keyword_init? # => nil
T = Struct.new(:x) do
  include Comparable
  def <=>(o) = x <=> o.x
end
T.new(1) < T.new(2) # => true
[T.new(3), T.new(1)].min.x # => 1
Class.new(S).new(1, 2).class.superclass == S # => true
S.new(*[1, 2]).sum # => 3
S[5, 6] # => #<struct S a=5, b=6>
