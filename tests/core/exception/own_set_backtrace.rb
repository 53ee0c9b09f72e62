# A program's own `set_backtrace` is told the backtrace when the exception is raised for the first time.
class Noted < StandardError
  attr_reader :told
  def set_backtrace(backtrace)
    (@told ||= []) << backtrace.first
    super
  end
end
def fails = raise(Noted, "x")
error = (fails rescue $!)
error.told.map { |line| line[/:\d+:in.*/] } # => [":9:in 'Object#fails'"]
error.backtrace.first == error.told.first # => true
(raise error rescue $!.told.size) # => 1
error.backtrace_locations.first.lineno # => 9
(raise Noted, "x", ["given"] rescue $!.told) # => ["given"]
(raise Noted.new("x").freeze rescue $!.told) # => nil
