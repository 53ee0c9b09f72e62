# Values at the edge of what methods take.
nan = Float::NAN
[[nan].include?(nan), [1, nan].index(nan), [nan] == [nan]] # => [true, 1, true]
["-", "-a", "- 1", "+"].map { |text| 1 / text.to_f } # => [Infinity, Infinity, Infinity, Infinity]
1 / "-0".to_f # => -Infinity
[Math.lgamma(-1), Math.lgamma(-4.0), Math.lgamma(0.0)] # => [[Infinity, -1], [Infinity, -1], [Infinity, 1]]
(1..3).step("a").inspect # => "#<Enumerator: 1..3:step(\"a\")>"

epoch = Time.at(0).utc
epoch.strftime("a%-") # raises ArgumentError: invalid format: a%-
epoch.strftime("%") # raises ArgumentError: invalid format: %
["%:", "%E", "%5E", "%9999999999d"].map { |pattern| epoch.strftime(pattern) } # => ["%:", "%E", "%5E", "%9999999999d"]
epoch.strftime("%2147483647d") # raises Errno::ERANGE: Numerical result out of range - %2147483647d
Time.utc(-5).strftime("%v") # => " 1-JAN--005"

# Patterns of strings alone are read with the program.
eval('/#{"("}/') # raises SyntaxError
eval('/a#{"\\\\"}/') # raises SyntaxError
/#{"a"}#{"b"}/ # => /ab/

# Exceptions
Class.new(StandardError) { def to_s = nil }.new.message # => nil
SystemExit.new(1, 2, 3) # raises ArgumentError: wrong number of arguments (given 2, expected 0..1)
SignalException.new # raises ArgumentError: wrong number of arguments (given 0, expected 1)
still = RuntimeError.new("still").freeze
(raise still rescue $!.backtrace) # => nil
5.instance_eval { def never = 1 } # raises TypeError: can't define singleton

# What iterates in its own way
odd = Class.new(Set) { def each = (yield 3; yield 1) }.new([7, 8])
[odd.sort, odd.minmax, odd.first, odd.to_a] # => [[1, 3], [1, 3], 3, [7, 8]]
Binding.method_defined?(:irb) # => true
