# flags: -W:performance
class Integer
  alias plus +
  def +(other) = plus(other)
  def +(other) = plus(other)
  def twice = self * 2
end
# stderr: performance_warning.rb:4: warning: Redefining 'Integer#+' disables interpreter and JIT optimizations
p 1 + 2
# prints: 3
