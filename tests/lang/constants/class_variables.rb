class A
  @@count = 0
  def self.inc = @@count += 1
  def count = @@count
end
class B < A
  def bump = @@count += 10
end
A.inc
B.new.bump
A.new.count # => 11
A.class_variables # => [:@@count]
B.class_variable_get(:@@count) # => 11
A.class_variable_set(:@@other, 1)
A.class_variable_defined?(:@@other) # => true
class A
  def nope = @@nope
end
A.new.nope # raises NameError: uninitialized class variable @@nope in A
A.class_variable_get(:bad) # raises NameError: 'bad' is not allowed as a class variable name
A.remove_class_variable(:@@other) # => 1
