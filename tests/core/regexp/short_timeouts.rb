# A timeout of a millisecond ends a match soon after it.

long = "a" * 1_000_000 + "x"
Regexp.new("^(a*)x$", timeout: 0.001).match?(long) # raises Regexp::TimeoutError: regexp match timeout
slow = Regexp.new("^(a*)*$", timeout: 0.001)
from = Process.clock_gettime(Process::CLOCK_MONOTONIC)
20.times { slow.match?(long) rescue $!.class }
Process.clock_gettime(Process::CLOCK_MONOTONIC) - from < 4 # => true
Regexp.new("^#{"(a*)" * 50}x$", timeout: 0.000001) =~ long # raises Regexp::TimeoutError: regexp match timeout
long.start_with?(Regexp.new("(a*)x$", timeout: 0.000001)) # raises Regexp::TimeoutError: regexp match timeout

# What is short has an answer before anybody asks.
Regexp.new("a+", timeout: 0.000001).match?("xxaa") # => true
Regexp.new("^(a*)x$", timeout: 10).match?(long) # => true
