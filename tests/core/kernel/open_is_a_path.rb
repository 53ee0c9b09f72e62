open(1) # raises TypeError: no implicit conversion of Integer into String
open(nil) # raises TypeError: no implicit conversion of nil into String
class Named
  def to_path = __FILE__
end
open(Named.new) { |file| file.path == __FILE__ } # => true
class Opening
  def to_open(*args, **words) = [args, words]
end
open(Opening.new, "r", a: 1) # => [["r"], {a: 1}]
