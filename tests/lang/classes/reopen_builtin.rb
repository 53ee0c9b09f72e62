class Integer
  def double = self * 2
end
21.double # => 42
class String
  def shout = upcase + "!"
  alias_method :old_reverse, :reverse
  def reverse = "<" + old_reverse + ">"
end
"ab".shout # => "AB!"
"ab".reverse # => "<ba>"
class NilClass
  def empty? = true
end
nil.empty? # => true
