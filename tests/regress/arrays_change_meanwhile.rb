a = (1..50).to_a
a.sort_by { |x| a.clear if x == 25; -x }.size # => 25
e = ((raise "x") rescue $!)
e.set_backtrace(["y:1"])
e.backtrace_locations.size # => 1
class << self
  def returns_early
    class << self; return :inner; end
    :outer
  end
end
returns_early # => :inner
$, = nil
(begin; $-0 = 5; rescue TypeError => e; e.message; end) # => "value of $-0 must be String"
alias $matched $&
(begin; eval("$matched = 1"); rescue NameError => e; e.message; end) # => "$matched is a read-only variable"
ARGF.class.inspect # => "ARGF.class"
Object.const_defined?(:ARGF__) # => false
module Deconstructs
  refine Integer do
    def deconstruct = [self, self + 1]
    def deconstruct_keys(_) = { n: self }
  end
end
using Deconstructs
(case 5; in [a, b] then [a, b]; end) # => [5, 6]
(case 5; in { n: } then n; end) # => 5
