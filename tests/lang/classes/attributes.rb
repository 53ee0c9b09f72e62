class A
  attr_reader :r
  attr_writer :w
  attr_accessor :a, :b
  attr :c
end
x = A.new
x.w = 1
x.a = 2
x.instance_variables # => [:@w, :@a]
x.r # => nil
x.r = 1 # raises NoMethodError: undefined method 'r=' for an instance of A
x.w # raises NoMethodError: undefined method 'w' for an instance of A
(class A; attr_accessor :p, "q"; end) # => [:p, :p=, :q, :q=]
class A; attr_accessor "bad name"; end # raises NameError: invalid attribute name 'bad name'
A.instance_method(:a=).arity # => 1
A.instance_method(:a).parameters # => []
A.instance_method(:a=).parameters # => [[:req]]
