# Tables of many names: what is taken out is gone, what is left is found, and small tables keep their order.
small = Class.new
%w[a b c d].each { |name| small.define_method(name) { name } }
small.send(:remove_method, "b")
small.instance_methods(false) # => [:a, :c, :d]
small.const_set(:A, 1)
small.const_set(:B, 2)
small.const_set(:C, 3)
small.send(:remove_const, :A) # => 1
small.constants # => [:B, :C]

large = Class.new
1000.times { |i| large.define_method("m#{i}") { i } }
500.times { |i| large.send(:remove_method, "m#{i}") }
large.instance_methods(false).size # => 500
(500...1000).all? { |i| large.new.send("m#{i}") == i } # => true
large.method_defined?(:m3) # => false
large.define_method(:m3) { :again }
large.new.m3 # => :again
1000.times { |i| large.const_set("C#{i}", i) }
500.times { |i| large.send(:remove_const, "C#{i}") }
large.constants.size # => 500
(500...1000).all? { |i| large.const_get("C#{i}") == i } # => true

# A constant of a module and of the class that includes it comes once.
mixin = Module.new
mixin.const_set(:SHARED, 1)
other = Class.new
other.include(mixin)
other.const_set(:SHARED, 2)
other.constants # => [:SHARED]
