# A class variable of a class that an ancestor got later, too.
class Above; end
class Below < Above
  @@both = 1
  def self.read = @@both
  def self.write(value) = @@both = value
end
Below.read # => 1
class Above
  @@both = 2
end
Below.read # raises RuntimeError: class variable @@both of Below is overtaken by Above
Below.write(3) # raises RuntimeError: class variable @@both of Below is overtaken by Above
Class.new(Below).class_variable_get(:@@both) # raises RuntimeError: class variable @@both of Below is overtaken by Above
Below.singleton_class.class_variable_get(:@@both) # raises RuntimeError: class variable @@both of Below is overtaken by Above
Below.singleton_class.class_variable_defined?(:@@both) # => true
Above.singleton_class.class_variable_get(:@@both) # => 2

# A prepended module comes behind the class here.
class Holder
  @@one = 1
  def self.read = @@one
end
module Before
  @@one = 2
  def self.read = @@one
end
Holder.prepend(Before)
Holder.read # raises RuntimeError: class variable @@one of Holder is overtaken by Before
Before.read # => 2
class Holder
  def self.known = defined?(@@one)
end
Holder.known # => "class variable"
Holder.read # raises RuntimeError: class variable @@one of Holder is overtaken by Before
Before.send(:remove_class_variable, :@@one) # => 2
Holder.read # => 1
Holder.class_variables # => [:@@one]

# Of prepended modules alone the last is read.
class Bare
  def self.read = @@there
end
module There
  @@there = 7
end
Bare.prepend(There)
Bare.read # => 7
