o = Object.new
def o.hi = :hi
o.hi # => :hi
o.singleton_methods # => [:hi]
class << o
  attr_accessor :acc
  def there = :there
end
o.acc = 4
[o.acc, o.there] # => [4, :there]
o.singleton_class.instance_methods(false).sort # => [:acc, :acc=, :hi, :there]
o.dup.hi # raises NoMethodError: undefined method 'hi' for an instance of Object
o.clone.hi # => :hi
o.singleton_class.inspect # => "#<Class:#<Object:0xXX>>"
nil.singleton_class # => NilClass
:a.singleton_class # raises TypeError: can't define singleton
1.singleton_class # raises TypeError: can't define singleton
def nil.custom = :on_nil
nil.custom # => :on_nil
