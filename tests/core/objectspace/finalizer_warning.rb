# A finalizer that keeps its own object alive is warned of.
warnings = []
Warning.define_singleton_method(:warn) { |text, **| warnings << text[/warning: .*/] }
object = Object.new
ObjectSpace.define_finalizer(object, proc {})
warnings # => []
object.instance_eval { ObjectSpace.define_finalizer(self, proc {}) }
warnings # => ["warning: finalizer references object to be finalized"]
class Bound
  def finish(id) = nil
end
bound = Bound.new
ObjectSpace.define_finalizer(bound, bound.method(:finish))
warnings.size # => 2
classes = ObjectSpace.each_object(Bound.singleton_class).to_a
classes # => [Bound]
singleton = bound.singleton_class
ObjectSpace.each_object(Bound.singleton_class).include?(singleton) # => true
