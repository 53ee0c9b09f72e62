log = []
started = Thread::Queue.new
go = Thread::Queue.new
t = Thread.new do
  Thread.handle_interrupt(RuntimeError => :never) do
    begin
      started << 1
      go.pop
      log << Thread.pending_interrupt?
      log << :protected
    ensure
      log << :ensured
    end
  end
  log << :never_reached
rescue => e
  log << e.message
end
started.pop
t.raise("late")
go << 1
t.join
log # => [true, :protected, :ensured, "late"]
Thread.handle_interrupt(RuntimeError => :immediate) { :value } # => :value
Thread.handle_interrupt(RuntimeError => :nope) { } # raises ArgumentError: unknown mask signature
Thread.handle_interrupt(RuntimeError => :never) # raises ArgumentError: block is needed.
Thread.pending_interrupt? # => false
