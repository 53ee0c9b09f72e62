class A
  def initialize = @v = 1
  private def hidden = :hidden
end
a = A.new
a.instance_eval { @v + 1 } # => 2
a.instance_eval("hidden") # => :hidden
a.instance_exec(5) { |x| @v + x } # => 6
a.instance_eval { def sing = :sing }
a.sing # => :sing
A.class_eval { def added = :added }
a.added # => :added
A.class_eval("def strung = [__FILE__, __LINE__]", "cls.rb", 10)
a.strung # => ["cls.rb", 10]
A.class_exec(:dyn) { |n| define_method(n) { n } }
a.dyn # => :dyn
A.class_eval { K = 1 }
Object.const_defined?(:K) # => true
A.class_eval("L = 2")
A::L # => 2
a.instance_eval { self.class } # => A
5.instance_eval { self + 1 } # => 6
A.instance_eval { def clsm = :clsm }
A.clsm # => :clsm
