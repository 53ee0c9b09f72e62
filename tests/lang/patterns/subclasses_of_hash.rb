# A subclass of Hash is asked by its own methods.
class Loose < Hash
  def key?(key) = super(key.to_s)
  def [](key) = super(key.to_s)
  def delete(key) = super(key.to_s)
  def empty? = size == 0
end
loose = Loose.new.merge!("a" => 1, "b" => 2)
loose in {a: Integer} # => true
loose in {a:, **rest}
[a, rest] # => [1, {"b" => 2}]
rest.class # => Loose
loose in {a: 1, b: 2, **nil} # => true
loose in {a: 1, **nil} # => false
loose in {c:} # => false
Loose.new in {} # => true
any = Class.new(Hash) { def key?(_) = true; def [](key) = key }.new
any in {x:, y:}
[x, y] # => [:x, :y]
