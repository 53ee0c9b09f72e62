class P
  def m(x) = [:p, x]
end
class Q < P
  define_method(:m) { |x| super }
end
Q.new.m(1) # raises RuntimeError: implicit argument passing of super from method defined by define_method() is not supported. Specify all arguments explicitly.
class R < P
  define_method(:m) { |x| super(x) }
end
R.new.m(1) # => [:p, 1]
