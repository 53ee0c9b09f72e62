# A module that is included later moves the ancestors behind it; calls whose methods stay the same go on as before.
class A; def foo = "A"; end
class B < A; def foo() = "B" + super; end
class C < B; def foo() = "C" + super; end
class D < B; end
def call(object) = object.foo
2.times { call(C.new) }
2.times { call(D.new) }
C.include(Module.new { def bar = 1 })
call(C.new) # => "CBA"
call(D.new) # => "BA"

# The same for aliases and for entries that only change a method's visibility.
class E < A
  alias older foo
  private :foo
  def call_both = [foo, older]
end
class F < E
  public :foo
end
2.times { F.new.call_both }
F.include(Module.new)
E.include(Module.new { def other = 1 })
[F.new.call_both, F.new.foo] # => [["A", "A"], "A"]
