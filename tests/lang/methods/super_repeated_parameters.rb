# Parameters that repeat a name are no variables of their own, yet `super` without arguments passes their values on.
class Base
  def all(*a, **k) = [a, k]
  def list(*a) = a
  def rest(*a) = a
  def pattern(*a) = a
  def captured(*a) = a
end
class Derived < Base
  def all(_, _, c, *_, k: 1) = super
  def list(_, _)
    _ = 14
    super
  end
  def pattern(_, (_, b), *_, _) = super
  def captured(_a, _a, x, _b, _b) = proc { x = 9; super }.call
end
Derived.new.all(1, 2, 3, 4, 5, k: 6) # => [[1, 2, 3, 4, 5], {k: 6}]
Derived.new.list(1, 2) # => [14, 2]
Derived.new.pattern(1, [2, 3], 4, 5, 6) # => [2, [2, 3], 4, 5, 6]
Derived.new.captured(1, 2, 3, 4, 5) # => [1, 2, 9, 4, 5]
def names(_, _) = binding.local_variables
names(1, 2) # => [:_]
method(:names).parameters # => [[:req, :_], [:req, :_]]
proc { |_, _, a| [_, a] }.call(1, 2, 3) # => [1, 3]
