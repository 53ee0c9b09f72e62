# Errors of conversions name a class as its `to_s` does.
class Labelled
  def self.to_s = "a label"
end
"a" + Labelled.new # raises TypeError: no implicit conversion of a label into String
[] + Labelled.new # raises TypeError: no implicit conversion of a label into Array
Integer(Labelled.new) # raises TypeError: can't convert a label into Integer
Float(Labelled.new) # raises TypeError: can't convert a label into Float
"abc"[Labelled.new] # raises TypeError: no implicit conversion of a label into Integer
1.0 < Labelled.new # raises ArgumentError: comparison of Float with a label failed
{}.merge(Labelled.new) # raises TypeError: no implicit conversion of a label into Hash
