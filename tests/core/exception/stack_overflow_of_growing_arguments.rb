# Recursion whose arguments, or whose path of evaluated code, grow by each level ends before its memory has grown with
# the square of the depth.
def splat(*a) = splat(*a, 1)
splat # raises SystemStackError: stack level too deep
def required_and_rest(a, *b) = required_and_rest(a, *b, 1)
required_and_rest(0) # raises SystemStackError: stack level too deep
define_singleton_method(:defined) { |*a, **k| defined(*a, 1, **k) }
defined # raises SystemStackError: stack level too deep
class Missing
  def method_missing(_, *a) = foo(*a, 1)
  def respond_to_missing?(*) = true
end
Missing.new.x # raises SystemStackError: stack level too deep
SELF = "eval(SELF)"
eval(SELF) # raises SystemStackError: stack level too deep

# Long rests are fine where the stack is not deep, short ones at any depth.
def count(*a) = a.size
count(*[0] * 300_000) # => 300000
def down(n, *a) = n == 0 ? a.size : down(n - 1, *a)
down(9000, *[0] * 1000) # => 1000
def evals(n) = n == 0 ? 0 : eval("1 + evals(n - 1)")
evals(2000) # => 2000

# Of thousands of errors in one long line the first few megabytes are told.
begin
  eval("if 1;" * 20_000 + "end;" * 20_000)
rescue SyntaxError => e
  e.message.size.between?(4_000_000, 6_000_000) # => true
  e.message.lines[2] # => "    |     ^ nesting too deep\n"
end
