# A recursive-descent calculator: string scanning, exceptions, pattern matching.
class Calculator
  class Error < StandardError; end
  def evaluate(text)
    @tokens = text.scan(/\d+(?:\.\d+)?|[-+*\/()^]|\S/)
    value = sum
    raise Error, "unexpected #{@tokens.first}" unless @tokens.empty?
    value
  end
  private
  def sum
    value = product
    while (op = take("+", "-"))
      value = value.send(op, product)
    end
    value
  end
  def product
    value = power
    while (op = take("*", "/"))
      right = power
      raise Error, "division by zero" if op == "/" && right.zero?
      value = value.send(op, right)
    end
    value
  end
  def power
    base = unary
    take("^") ? base**power : base
  end
  def unary = take("-") ? -unary : atom
  def atom
    case @tokens.shift
    in nil then raise Error, "unexpected end"
    in "(" then sum.tap { take(")") or raise Error, "missing )" }
    in /\A\d+\z/ => n then Integer(n, 10)
    in /\A\d/ => n then Float(n)
    in other then raise Error, "unexpected #{other}"
    end
  end
  def take(*ops) = ops.include?(@tokens.first) ? @tokens.shift : nil
end
c = Calculator.new
c.evaluate("1 + 2 * 3") # => 7
c.evaluate("(1 + 2) * 3 - 4 / 2") # => 7
c.evaluate("2 ^ 3 ^ 2") # => 512
c.evaluate("-2 ^ 2 + 10.5") # => 14.5
c.evaluate("2 ^ 100") # => 1267650600228229401496703205376
c.evaluate("1 +") # raises Calculator::Error: unexpected end
c.evaluate("(1") # raises Calculator::Error: missing )
c.evaluate("1 / 0") # raises Calculator::Error: division by zero
c.evaluate("1 $ 2") # raises Calculator::Error: unexpected $
