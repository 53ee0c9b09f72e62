# The name that a call is made by, where the call is an operator whose site has seen the method before.
class Named
  def base(*) = __callee__
  %i[+ - * / % ** == != < <= > >= <=> === << >> & | ^ =~ !~ [] []= -@ +@ ~ ! call].each { alias_method it, :base }
end

def names(a, o = 2)
  [a + o, a - o, a * o, a / o, a % o, a ** o, a == o, a != o, a < o, a <= o, a > o, a >= o, a <=> o, a === o, a << o,
   a >> o, a & o, a | o,
   a ^ o, a =~ o, a !~ o, a[1], a["x"], -a, +a, ~a, !a, a.(), a + 1, a - 1, a < 1, a == nil]
end

3.times.map { names(Named.new) }.uniq # => [[:+, :-, :*, :/, :%, :**, :==, :!=, :<, :<=, :>, :>=, :<=>, :===, :<<, :>>, :&, :|, :^, :=~, :!~, :[], :[], :-@, :+@, :~, :!, :call, :+, :-, :<, :==]]

class Noting
  def note(*) = ($name = __callee__) && false
  %i[< <= > >= == === [] []= + to_s].each { alias_method it, :note }
end

def noted = $name.tap { $name = nil }

def branches(c)
  seen = []
  if c < 1 then end; seen << noted
  if c <= 1 then end; seen << noted
  if c > 1 then end; seen << noted
  if c >= 1 then end; seen << noted
  if c == 1 then end; seen << noted
  while c < 3; end; seen << noted
  case 1 when c then end; seen << noted
  c[1] = 2; seen << noted
  c[1] ||= 2; seen << noted
  "#{c}"; seen << noted
  c += 1; seen << noted
end

3.times.map { branches(Noting.new) }.uniq # => [[:<, :<=, :>, :>=, :==, :<, :===, :[]=, :[]=, :to_s, :+]]
