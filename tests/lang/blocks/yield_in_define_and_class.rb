def m
  Class.new { define_method(:x) { yield } }
end
m { 4 }.new.x # => 4
class K
  def each
    return to_enum(:each) { 3 } unless block_given?
    yield 1
    yield 2
  end
end
K.new.each.size # => 3
K.new.each.to_a # => [1, 2]
