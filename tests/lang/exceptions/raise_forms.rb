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
