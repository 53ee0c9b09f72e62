# bigdecimal/math: functions beyond exp and log. Arguments are reduced to where a power series falls quickly; some
# digits more than asked for are carried.

require "bigdecimal"

module BigMath
  GUARD = 16
  private_constant :GUARD

  module_function

  def __digits(prec, name)
    prec = prec.to_int unless prec.is_a?(Integer)
    raise ArgumentError, "Zero or negative precision for #{name}" if prec <= 0
    prec
  end

  def __number(x, prec)
    case x
    when BigDecimal then x
    when Integer, Float then BigDecimal(x, 0)
    when Rational then BigDecimal(x, [prec, 32].max)
    else raise ArgumentError, "#{x.inspect} can't be coerced into BigDecimal"
    end
  end
  private :__digits, :__number

  def sqrt(x, prec)
    prec = __digits(prec, :sqrt)
    __number(x, prec).sqrt(prec)
  end

  # Machin's formula on whole numbers.
  def PI(prec)
    prec = __digits(prec, :PI)
    unit = 10**(prec + GUARD)
    sum = 16 * __arctan_inverse(5, unit) - 4 * __arctan_inverse(239, unit)
    BigDecimal(sum)._decimal_shift(-prec - GUARD).mult(1, prec)
  end

  def __arctan_inverse(n, unit)
    square = n * n
    power = unit / n
    sum, k, sign = power, 3, -1
    while power > 0
      power /= square
      sum += sign * (power / k)
      k += 2
      sign = -sign
    end
    sum
  end
  private :__arctan_inverse

  def E(prec)
    exp(1, __digits(prec, :E))
  end

  def sin(x, prec)
    prec = __digits(prec, :sin)
    x = __number(x, prec)
    return BigDecimal::NAN unless x.finite?
    __sine(x, prec, 0)
  end

  def cos(x, prec)
    prec = __digits(prec, :cos)
    x = __number(x, prec)
    return BigDecimal::NAN unless x.finite?
    __sine(x, prec, 1)
  end

  # The sine of x plus so many quarters of a turn.
  def __sine(x, prec, quarters)
    n = prec + GUARD + [x.exponent, 0].max
    loop do
      half_pi = PI(n + GUARD).div(2, n + GUARD)
      turns = x.div(half_pi, n).round.to_i
      rest = x - half_pi * turns
      if rest.zero? && turns.zero? && quarters == 0
        return BigDecimal(quarters.odd? ? [1, 0, -1, 0][(turns + quarters - 1) % 4] : 0)
      end
      # What is left must still have the digits asked for.
      if !rest.zero? && n + rest.exponent < prec + GUARD / 2 && x != 0 && n < prec * 4 + 1000
        n += -rest.exponent + GUARD
        next
      end
      quadrant = (turns + quarters) % 4
      value = quadrant.even? ? __sine_series(rest, n) : __cosine_series(rest, n)
      value = -value if quadrant > 1
      return value.mult(1, prec)
    end
  end

  def __sine_series(x, prec)
    square = -x.mult(x, prec)
    term = sum = x
    k = 2
    until term.zero? || term.exponent < sum.exponent - prec
      term = term.mult(square, prec).div(k * (k + 1), prec)
      sum = sum.add(term, prec)
      k += 2
    end
    sum
  end

  def __cosine_series(x, prec)
    square = -x.mult(x, prec)
    term = sum = BigDecimal(1)
    k = 1
    until term.zero? || term.exponent < -prec
      term = term.mult(square, prec).div(k * (k + 1), prec)
      sum = sum.add(term, prec)
      k += 2
    end
    sum
  end
  private :__sine, :__sine_series, :__cosine_series

  def tan(x, prec)
    prec = __digits(prec, :tan)
    sin(x, prec + GUARD).div(cos(x, prec + GUARD), prec)
  end

  def atan(x, prec)
    prec = __digits(prec, :atan)
    x = __number(x, prec)
    return BigDecimal::NAN if x.nan?
    n = prec + GUARD
    return PI(n).div(2 * x.infinite?, prec) if x.infinite?
    return x if x.zero?
    negative = x < 0
    x = x.abs
    inverse = x > 1
    x = BigDecimal(1).div(x, n) if inverse
    # Halving the angle three times makes the series fall quickly.
    halvings = 0
    while x > BigDecimal("0.1")
      x = x.div(1 + (1 + x.mult(x, n)).sqrt(n), n)
      halvings += 1
    end
    square = -x.mult(x, n)
    power = sum = x
    k = 3
    until power.zero? || power.exponent < sum.exponent - n
      power = power.mult(square, n)
      sum = sum.add(power.div(k, n), n)
      k += 2
    end
    sum *= 2**halvings
    sum = PI(n) / 2 - sum if inverse
    (negative ? -sum : sum).mult(1, prec)
  end

  def asin(x, prec)
    prec = __digits(prec, :asin)
    x = __number(x, prec)
    raise Math::DomainError, "Out of domain argument for asin" if x < -1 || x > 1
    return BigDecimal::NAN if x.nan?
    n = prec + GUARD
    cosine = (1 - x * x).sqrt(n)
    cosine.zero? ? PI(n).div(x > 0 ? 2 : -2, prec) : atan(x.div(cosine, n), prec)
  end

  def acos(x, prec)
    prec = __digits(prec, :acos)
    x = __number(x, prec)
    raise Math::DomainError, "Out of domain argument for acos" if x < -1 || x > 1
    return BigDecimal::NAN if x.nan?
    n = prec + GUARD
    return (PI(n) / 2).sub(asin(x, n), prec) if x < 0
    return PI(n).div(2, prec) if x.zero?
    atan((1 - x * x).sqrt(n).div(x, n), prec)
  end

  def sinh(x, prec)
    prec = __digits(prec, :sinh)
    x = __number(x, prec)
    return x if x.nan? || x.infinite? || x.zero?
    n = prec + GUARD - [x.exponent, 0].min
    e = exp(x, n)
    (e - BigDecimal(1).div(e, n)).div(2, prec)
  end

  def cosh(x, prec)
    prec = __digits(prec, :cosh)
    x = __number(x, prec)
    return x.abs if x.nan? || x.infinite?
    n = prec + GUARD
    e = exp(x, n)
    (e + BigDecimal(1).div(e, n)).div(2, prec)
  end

  def tanh(x, prec)
    prec = __digits(prec, :tanh)
    x = __number(x, prec)
    return x if x.nan? || x.zero?
    return BigDecimal(x.infinite?) if x.infinite?
    n = prec + GUARD - [x.exponent, 0].min
    e = exp(x * 2, n)
    (e - 1).div(e + 1, prec)
  end

  def cbrt(x, prec)
    prec = __digits(prec, :cbrt)
    x = __number(x, prec)
    return x if x.nan? || x.infinite? || x.zero?
    n = prec + GUARD
    root = exp(log(x.abs, n).div(3, n), n)
    root = (root * 2 + x.abs.div(root.mult(root, n), n)).div(3, n)
    (x < 0 ? -root : root).mult(1, prec)
  end

  def hypot(x, y, prec)
    prec = __digits(prec, :hypot)
    n = prec + GUARD
    x, y = __number(x, prec), __number(y, prec)
    return BigDecimal::NAN if x.nan? || y.nan?
    return BigDecimal::INFINITY if x.infinite? || y.infinite?
    (x.mult(x, n) + y.mult(y, n)).sqrt(prec)
  end

  def log2(x, prec)
    prec = __digits(prec, :log2)
    __log_base(x, 2, prec)
  end

  def log10(x, prec)
    prec = __digits(prec, :log10)
    __log_base(x, 10, prec)
  end

  def __log_base(x, base, prec)
    n = prec + GUARD * 2
    value = log(x, n)
    return value unless value.finite?
    value.div(log(base, n), n).mult(1, prec + GUARD).mult(1, prec)
  end
  private :__log_base

  def log1p(x, prec)
    prec = __digits(prec, :log1p)
    x = __number(x, prec)
    raise Math::DomainError, "Out of domain argument for log1p" if x < -1
    log(x + 1, prec)
  end

  def expm1(x, prec)
    prec = __digits(prec, :expm1)
    x = __number(x, prec)
    return x if x.zero?
    return BigDecimal(-1) if x.infinite? == -1
    exp(x, prec + GUARD - [x.exponent, 0].min).sub(1, prec)
  end
end
