# Methods that every object needs: warnings when they are undefined, and `new` without `initialize`.
$said = []
def Warning.warn(text, category: nil) = $said.concat(text.scan(/warning: (.*)/).flatten)
said = -> { $said.tap { $said = [] } }
class Without
  undef_method :object_id
  undef __id__
end
said.call # => ["undefining 'object_id' may cause serious problems", "redefining 'object_id' may cause serious problems", "undefining '__id__' may cause serious problems", "redefining '__id__' may cause serious problems"]
class Uninitialized
  undef initialize
end
said.call # => ["undefining 'initialize' may cause serious problems"]
Uninitialized.new # raises NoMethodError: undefined method 'initialize' for an instance of Uninitialized
Class.new(Uninitialized) { def initialize = @a = 1 }.new.instance_variables # => [:@a]
class Catching
  undef initialize
  def method_missing(name, *args) = @missed = [name, args]
  attr_reader :missed
end
Catching.new(1, 2).missed # => [:initialize, [1, 2]]
said.call # => ["undefining 'initialize' may cause serious problems"]
class Object
  def respond_to_missing?(*) = super
  remove_method :respond_to_missing?
end
said.call # => ["redefining Object#respond_to_missing? may cause infinite loop"]
# A module is made by `new` alone, a class is allocated empty.
Module.allocate # raises NoMethodError: undefined method 'allocate' for class Module
Class.new(Module).respond_to?(:allocate) # => false
Class.allocate.new # raises TypeError: can't instantiate uninitialized class
