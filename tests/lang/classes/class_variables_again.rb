# Class variables that were read before: what changes where they are found is seen at once.
class Base
  def self.read = @@shared
  def self.write(value) = @@shared = value
  def self.there = defined?(@@shared)
end
class Below < Base
  def self.read_below = @@shared
  def self.write_below(value) = @@shared = value
  def self.there_below = defined?(@@shared)
end

3.times.map { Base.there } # => [nil, nil, nil]
Base.read # raises NameError: uninitialized class variable @@shared in Base
Base.write(1)
3.times.map { [Base.read, Below.read_below, Base.there, Below.there_below] }.uniq # => [[1, 1, "class variable", "class variable"]]
Below.write_below(2)
[Base.read, Below.class_variables(false)] # => [2, []]

# Removed, and defined further down.
Base.remove_class_variable(:@@shared) # => 2
[Base.there, Below.there_below] # => [nil, nil]
Below.read_below # raises NameError: uninitialized class variable @@shared in Below
Below.write_below(3)
[Base.there, Below.read_below] # => [nil, 3]
Base.read # raises NameError: uninitialized class variable @@shared in Base

# Defined further up afterwards.
Base.class_variable_set(:@@shared, 4)
Base.read # => 4
Below.read_below # raises RuntimeError: class variable @@shared of Below is overtaken by Base
Below.write_below(5) # raises RuntimeError: class variable @@shared of Below is overtaken by Base
Below.remove_class_variable(:@@shared) # => 3
Below.read_below # => 4

# A module with one comes among the ancestors.
module Having
  @@other = :of_module
end
class Alone
  def self.other = @@other
  def self.there = defined?(@@other)
end
2.times.map { Alone.there } # => [nil, nil]
Alone.include(Having)
[Alone.other, Alone.there] # => [:of_module, "class variable"]
module Later
  def self.set = @@third = :third
end
class Alone
  def self.third = @@third
end
Having.include(Later)
Alone.include(Later)
Alone.third # raises NameError: uninitialized class variable @@third in Alone
Later.set
Alone.third # => :third

# Many classes, which are gone again.
read = 40.times.map do |i|
  holder = Class.new
  holder.class_variable_set(:@@own, i)
  2.times { holder.class_eval("@@own", __FILE__, __LINE__) rescue nil }
  below = Class.new(holder)
  GC.start if i % 10 == 0
  below.class_variable_get(:@@own)
end
read == (0...40).to_a # => true

# What `defined?` says is one frozen String.
@some = 1
defined?(@some) # => "instance-variable"
defined?(@some).equal?(defined?(@some)) # => true
[defined?(@some).frozen?, defined?(@some).encoding] # => [true, #<Encoding:US-ASCII>]
defined?(puts).equal?(defined?(print)) # => true
