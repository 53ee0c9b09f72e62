class A
  def m(a, b = 1) = [self.class, a, b]
  protected def prot = 1
end
a = A.new
m = a.method(:m)
m.call(1) # => [A, 1, 1]
m.(2, 3) # => [A, 2, 3]
m[4] # => [A, 4, 1]
m === 5 # => [A, 5, 1]
m.unbind.class # => UnboundMethod
m.unbind.bind(A.new).call(6) # => [A, 6, 1]
A.instance_method(:m).bind_call(a, 7) # => [A, 7, 1]
m.name # => :m
m.owner # => A
m.receiver.equal?(a) # => true
m == a.method(:m) # => true
m.to_proc.lambda? # => true
[1, 2].map(&m) # => [[A, 1, 1], [A, 2, 1]]
a.method(:nope) # raises NameError: undefined method 'nope' for class 'A'
A.instance_method(:nope) # raises NameError: undefined method 'nope' for class 'A'
a.public_method(:prot) # raises NameError: method 'prot' for class 'A' is protected
m.source_location.last # => 2
A.instance_method(:m).bind(5) # raises TypeError: bind argument must be an instance of A
(m >> ->(r) { r.size }).call(1) # => 3
a.methods(false) # => []
A.instance_methods(false).sort # => [:m, :prot]
1.method(:+).unbind.inspect # => "#<UnboundMethod: Integer#+(_)>"
m.curry(2)[1][2] # => [A, 1, 2]
