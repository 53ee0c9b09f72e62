self.inspect # => "main"
self.class # => Object
def top_level = :top
Object.private_method_defined?(:top_level) # => true
self.to_s # => "main"
public def visible = 1
Object.new.visible # => 1
include Comparable
Object.include?(Comparable) # => true
