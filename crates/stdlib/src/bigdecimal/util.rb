# bigdecimal/util: `to_d` of the core's numbers and texts.

require "bigdecimal"

class Integer
  def to_d = BigDecimal(self)
end

class Float
  def to_d(precision = 0) = BigDecimal(self, precision)
end

class String
  def to_d = BigDecimal.interpret_loosely(self)
end

class Rational
  def to_d(precision = 0) = BigDecimal(self, precision)
end

class Complex
  def to_d(*precision)
    BigDecimal(self) unless imag.zero?
    precision.empty? && (real.is_a?(Rational) || real.is_a?(Float)) ? BigDecimal(real, 0) : BigDecimal(real, *precision)
  end
end

class NilClass
  def to_d = BigDecimal(0)
end

class BigDecimal
  def to_d = self

  # The number without an exponent: "123.45".
  def to_digits
    nan? || infinite? || zero? ? to_s : to_s("F")
  end
end
