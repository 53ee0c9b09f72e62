# callcc is offered as on systems without it.
# stderr: callcc is obsolete; use Fiber instead
require "continuation" # => true
respond_to?(:callcc, true) # => false
callcc { } # raises NotImplementedError: callcc() function is unimplemented on this machine
