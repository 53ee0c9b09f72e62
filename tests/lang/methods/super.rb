class P
  def a(x, y = 2, *r, k: 0) = [x, y, r, k]
  def b = yield
  def c(*) = :parent
end
class Q < P
  def a(x, y = 5, *r, k: 1)
    x += 10
    super
  end
  def b = super { 7 }
  def c(x) = super()
end
q = Q.new
q.a(1) # => [11, 5, [], 1]
q.a(1, 2, 3, k: 4) # => [11, 2, [3], 4]
q.b # => 7
q.c(1) # => :parent
class R < P
  def b = super
  def nope = super
  def c(x) = [1].map { |_| super(x) }
end
R.new.b { 3 } # => 3
R.new.nope # raises NoMethodError: super: no superclass method 'nope' for an instance of R
R.new.c(1) # => [:parent]
