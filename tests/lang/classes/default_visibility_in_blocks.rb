# The default visibility of a class body counts in the body, not in blocks of its methods.
class Box
  def defines = [1].each { self.class.send(:define_method, :defined) { 1 } }
  def reads = [1].each { self.class.send(:attr_reader, :read) }
  def writes_def = [1].each { def written = 1 }
  def in_class_eval = self.class.class_eval { def evaluated = 1; [1].each { def evaluated_deeper = 1 } }
  def private_there = self.class.class_eval { private; def hidden = 1; [1].each { def hidden_deeper = 1 } }
  def in_loop
    for _ in [1] do def looped = 1 end
  end
  define_method(:in_defined) do
    [1].each { self.class.send(:attr_reader, :read_in_defined) }
    def written_in_defined = 1
  end
  PROC = proc { self.class.send(:define_method, :by_proc) { 1 }; def in_proc = 1 }
  def by_instance_exec = instance_exec(&PROC)
  def deeper = [1].each { [1].each { self.class.send(:define_method, :deeply_defined) { 1 } } }
  def by_lambda = -> { self.class.define_method(:by_a_lambda) { 1 } }.()
  private
end
box = Box.new
%i[defines reads writes_def in_class_eval private_there in_loop in_defined by_instance_exec deeper
   by_lambda].each do |name|
  box.send(name)
end
visible = ->(name) { Box.public_method_defined?(name) }
%i[defined read written evaluated evaluated_deeper].map(&visible) # => [true, true, true, true, true]
%i[hidden hidden_deeper].map(&visible) # => [false, false]
%i[looped read_in_defined written_in_defined by_proc in_proc deeply_defined by_a_lambda].map(&visible) # => [true, true, false, true, false, true, true]

# Blocks of the body itself, and evaluated sources, which have a copy.
class Crate
  eval "private; def in_eval = 1"
  def behind_eval = 1
  class_eval { private; def in_class_eval = 1 }
  def behind_class_eval = 1
  [1].each { private }
  def behind_block = 1
  [1].each { def in_block = 1 }
end
Crate.public_instance_methods(false).sort # => [:behind_class_eval, :behind_eval]
Crate.private_instance_methods(false).sort # => [:behind_block, :in_block, :in_class_eval, :in_eval]

module Tools
  def self.make = [1].each { def tool = 1 }
  module_function
end
Tools.make
[Tools.respond_to?(:tool), Tools.public_method_defined?(:tool)] # => [false, true]
