raise # raises RuntimeError: 
raise "msg" # raises RuntimeError: msg
raise ArgumentError # raises ArgumentError: ArgumentError
raise ArgumentError, "bad" # raises ArgumentError: bad
raise ArgumentError.new("made") # raises ArgumentError: made
raise 1 # raises TypeError: exception class/object expected
raise Object # raises TypeError: exception class/object expected
raise "x", cause: nil # raises RuntimeError: x
class Custom < StandardError
  def initialize(a = "default") = super("custom #{a}")
end
raise Custom # raises Custom: custom default
raise Custom, "given" # raises Custom: custom given
class Conv
  def exception(*a) = RuntimeError.new("converted #{a}")
end
raise Conv.new # raises RuntimeError: converted []
raise Conv.new, "arg" # raises RuntimeError: converted ["arg"]
raise Class.new(StandardError), "anonymous" rescue $!.message # => "anonymous"
# Keywords other than `cause:` are one Hash more.
class Keyed < StandardError
  def initialize(given = nil, a: 0) = super("#{given.inspect} #{a}")
end
(raise Keyed, a: 1 rescue $!.message) # => "{a: 1} 0"
(raise Keyed, a: 1, cause: nil rescue $!.message) # => "{a: 1} 0"
(raise Keyed, **{} rescue $!.message) # => "nil 0"
(raise Keyed, "m", a: 1 rescue $!.message) # => "backtrace must be an Array of String or an Array of Thread::Backtrace::Location"
(raise Keyed, "m", nil, a: 1 rescue $!.message) # => "wrong number of arguments (given 4, expected 0..3)"
(Thread.current.raise(Keyed, a: 1) rescue $!.message) # => "{a: 1} 0"
Keyed.exception(a: 2).message # => "{a: 2} 0"
