class B
  private def one = 1
  def two = 2
  def three = 3
  private :two, :three
  public [:three]
  attr_reader :x
  private attr_accessor :y, :z
  def self.cm = 1
  private_class_method :cm
end
B.new.one # raises NoMethodError: private method 'one' called for an instance of B
B.new.two # raises NoMethodError: private method 'two' called for an instance of B
B.new.three # => 3
B.new.x # => nil
B.new.y # raises NoMethodError: private method 'y' called for an instance of B
B.cm # raises NoMethodError: private method 'cm' called for class B
module Fn
  module_function
  def helper = :help
end
Fn.helper # => :help
Object.new.extend(Fn).helper # raises NoMethodError: private method 'helper' called for #<Object:0xXX>
