# Implicit conversions take a NoMethodError of method_missing for "does not convert",
# unless the object claimed to respond.
class Delegating
  def method_missing(*args) = Object.new.send(*args)
end
one = Delegating.new
[[one]].flatten == [one] # => true
Array(one) == [one] # => true
[*one] == [one] # => true
first, second = one
[first == one, second] # => [true, nil]
[one].each { |x, y| p y } # => [#<Delegating:0xXX>]
# prints: nil
"a" + one # raises TypeError: no implicit conversion of Delegating into String
[1] + one # raises TypeError: no implicit conversion of Delegating into Array
Integer(one) # raises TypeError: can't convert Delegating into Integer
Float(one) # raises TypeError: can't convert Delegating into Float
def keywords(**all) = all
keywords(**one) # raises TypeError: no implicit conversion of Delegating into Hash
File.join(one) # raises TypeError: no implicit conversion of Delegating into String
[1, 2][one] # raises TypeError: no implicit conversion of Delegating into Integer
$! # => nil

class Failing
  def method_missing(*) = raise(NameError, "no such name")
end
[[Failing.new]].flatten # raises NameError: no such name

class Raising
  def method_missing(*) = raise(NoMethodError, "not now")
end
[[Raising.new]].flatten.size # => 1

class Promising < Raising
  def respond_to_missing?(*) = true
end
[[Promising.new]].flatten # raises NoMethodError: not now

class Answering < Raising
  def respond_to?(*) = true
end
[[Answering.new]].flatten # raises NoMethodError: not now

class Denying < Raising
  def respond_to_missing?(*) = false
end
[[Denying.new]].flatten.size # => 1

class Empty
  def respond_to_missing?(*) = true
end
[[Empty.new]].flatten.size # => 1

class Bare < BasicObject
  def method_missing(name, *) = name == :to_ary ? [1] : super
end
[[Bare.new]].flatten # => [1]
