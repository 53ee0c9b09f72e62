class A
  def self.make = :made
end
class B < A
end
b = B.new
b.singleton_class.make # => :made
class A
  def self.later = :later
end
b.singleton_class.later # => :later
(class << b; make; end) # => :made
b.singleton_class.class # => Class
b.singleton_class.singleton_class.superclass == B.singleton_class # => true
module Extra
  def extra = :extra
end
A.extend(Extra)
b.singleton_class.extra # => :extra
def b.own = 1
b.singleton_class.instance_methods(false) # => [:own]
Object.new.singleton_class.make # raises NoMethodError
