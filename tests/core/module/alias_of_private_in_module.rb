# needs: 4.0
# `private :name` in a module of a method that the module does not have leads nowhere: it cannot be aliased.
def refused(mod)
  mod.alias_method(:kind, :class)
rescue NameError => e
  e.message[/\A.*<Module/]
end
refused(Module.new { private :class }) # => "undefined method 'class' for module '#<Module"
refused(Module.new { prepend Module.new { private :class } }) # => "undefined method 'class' for module '#<Module"

class Base
  def work = 1
end
class Sub < Base
  private :work
  alias_method :job, :work
end
Sub.new.send(:job) # => 1
Sub.private_method_defined?(:job) # => true
