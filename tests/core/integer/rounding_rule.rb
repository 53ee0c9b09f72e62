# The rule of a rounding is looked at where there is a place.
1.round(half: :unknown) # => 1
1.round(-1, half: :unknown) # raises ArgumentError: invalid rounding mode: unknown
1.0.round(half: "up".encode("UTF-16BE")) # raises Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16BE
odd = Class.new do
  def coerce(other) = [self, other]
  def %(other) = self
end.new
1.remainder(odd) # raises ArgumentError
