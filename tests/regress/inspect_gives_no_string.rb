# What `inspect` gives is made a string as interpolation makes one.
class Seven
  def inspect = 7
end

class Name
  def inspect = :name
end

p Seven.new # prints: 7
p [Seven.new], Name.new # prints: [7]
# prints: name
object = Object.new
object.instance_variable_set(:@a, Seven.new)
object.inspect[/@.*/] # => "@a=7>"
{}.fetch(Name.new) # raises KeyError: key not found: name
format("%p", Seven.new) # => "7"
