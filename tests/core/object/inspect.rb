class A; end
class B; def initialize = @a = 1; end
class C; def initialize = (@a, @b = "x", [self.class]); end
A.new.inspect # => "#<A:0xXX>"
B.new.inspect # => "#<B:0xXX @a=1>"
C.new.inspect # => "#<C:0xXX @a=\"x\", @b=[C]>"
class D; def to_s = "custom"; end
D.new.inspect # => "#<D:0xXX>"
"#{D.new}" # => "custom"
class E
  def initialize = (@shown, @hidden = 1, 2)
end
E.new.inspect # => "#<E:0xXX @shown=1, @hidden=2>"
o = Object.new
o.instance_variable_set(:@self, o)
o.inspect # => "#<Object:0xXX @self=#<Object:0xXX ...>>"
A.inspect # => "A"
A.new.singleton_class.inspect # => "#<Class:#<A:0xXX>>"
Module.new.inspect # => "#<Module:0xXX>"
Class.new(A).new.inspect # => "#<#<Class:0xXX>:0xXX>"
A.new.to_s # => "#<A:0xXX>"
nil.inspect # => "nil"
main = self.inspect # => "main"
method(:puts).inspect.include?("puts") # => true
(1..).inspect # => "1.."
A.instance_method(:inspect).inspect # => "#<UnboundMethod: Kernel#inspect()>"
