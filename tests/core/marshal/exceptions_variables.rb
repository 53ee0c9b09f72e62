# Instance variables of an exception travel whatever their names are, also those that other classes have as attributes.
class Told < StandardError
  attr_reader :reason, :path, :exit_value
  def initialize(text)
    @reason = @path = @exit_value = text
    @key = @name = 1
    super
  end
end
again = Marshal.load(Marshal.dump(Told.new("a")))
[again.message, again.reason, again.path, again.exit_value] # => ["a", "a", "a", "a"]
again.instance_variables.sort # => [:@exit_value, :@key, :@name, :@path, :@reason]

# The attributes themselves.
def home = proc { return 1 }
jump = Marshal.load(Marshal.dump((home.call rescue $!)))
[jump.class, jump.reason, jump.exit_value] # => [LocalJumpError, :return, 1]
load_error = begin; require "no/such/feature"; rescue LoadError; Marshal.load(Marshal.dump($!)); end
load_error.path # => "no/such/feature"

require "drb"
remote = DRb::DRbRemoteError.new(ArgumentError.new("far"))
[Marshal.load(Marshal.dump(remote)).reason, remote.message] # => ["ArgumentError", "far (ArgumentError)"]
