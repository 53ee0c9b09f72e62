# Class variables and `defined?` of variables in code that is compiled.
class Base
  @@level = 1
  def level = @@level
  def other = @@other
  def levels = 3.times.map { @@level }
  def known = [defined?(@@level), defined?(@@other), defined?(@name)]
  def name=(name)
    @name = name
  end
  def self.level = @@level
  def self.level=(value)
    @@level = value
  end
  def self.other=(value)
    @@other = value
  end
end
class Derived < Base
  def mine = [@@level, level, defined?(@@nothing)]
end

def warm(times = 200) = times.times.map { yield }.uniq

one = Derived.new
warm { one.level } # => [1]
warm { one.mine } # => [[1, 1, nil]]
warm { one.levels } # => [[1, 1, 1]]
warm { one.known } # => [["class variable", nil, nil]]
warm { one.other rescue $!.message } # => ["uninitialized class variable @@other in Base"]
Base.level = :two
warm { one.level } # => [:two]
warm { Base.level } # => [:two]
Base.other = 3
warm { one.other } # => [3]
one.name = nil
warm { one.known } # => [["class variable", "class variable", "instance-variable"]]
one.known[2].equal?(one.known[2]) # => true
one.remove_instance_variable(:@name)
warm { one.known } # => [["class variable", "class variable", nil]]
one.dup.freeze.known # => ["class variable", "class variable", nil]

# Scopes of blocks that are run elsewhere.
class Elsewhere
  @@level = :elsewhere
  def run(&block) = instance_exec(&block)
  def text = class_eval_text
end
class Base
  def block = proc { [@@level, defined?(@@level), defined?(@name)] }
end
given = one.block
warm { Elsewhere.new.run(&given) } # => [[:two, "class variable", nil]]
top = proc { [defined?(@@level), (@@level rescue $!.class)] }
warm { top.call } # => [[nil, RuntimeError]]
warm { [1, :a, 2.5, nil].map { |me| me.instance_exec { defined?(@x) } } } # => [[nil, nil, nil, nil]]

# An ancestor gets the variable, too.
module Late
end
Base.include(Late)
warm { one.level } # => [:two]
Late.class_variable_set(:@@level, 0)
warm { Base.class_variable_get(:@@level) rescue $!.message } # => ["class variable @@level of Base is overtaken by Late"]
warm { one.known[0] } # => ["class variable"]
Late.remove_class_variable(:@@level)
warm { one.level } # => [:two]
