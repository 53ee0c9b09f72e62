# Operators of the parts that a program has redefined are called.
class Float
  alias original_mul *
  def *(other) = 42.0
end
product = Complex(1.0, 2.0) * Complex(3.0, 4.0)
class Float
  alias * original_mul
end
class Integer
  alias original_plus +
  def +(other) = 42
end
sum = Complex(1, 2) + Complex(3, 4)
class Integer
  alias + original_plus
end
product # => (0.0+84.0i)
sum # => (42+42i)

class Integer
  alias original_to_f to_f
  def to_f = (self + 1).original_to_f
end
Math.sqrt(3) # => 2.0
Math.log(-0.0) # => -Infinity
