# A `backtrace` of the program is asked when its exception is raised: what it knows stands for what would be recorded.
class Asked < StandardError
  attr_reader :times

  def backtrace
    @times = @times.to_i + 1
    super
  end
end

error = begin
  raise Asked
rescue Asked => e
  e
end
error.times # => 1
error.backtrace.size # => 1

class Known < StandardError
  def backtrace = super || ["here:1"]
end

error = begin
  raise Known
rescue Known => e
  $@ # => ["here:1"]
  e
end
error.backtrace # => ["here:1"]
error.backtrace_locations # => nil

class Wrong < StandardError
  def backtrace = :backtrace
end

begin
  raise Wrong
rescue Wrong => e
  $@ # raises TypeError: backtrace must be an Array of String or an Array of Thread::Backtrace::Location
  e.full_message # raises TypeError: backtrace must be an Array of String or an Array of Thread::Backtrace::Location
end

class WithArgument < StandardError
  def backtrace(_) = nil
end

raise WithArgument, "all the same" # raises WithArgument: all the same
